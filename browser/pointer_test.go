package browser_test

import (
	"slices"
	"testing"
)

func TestControlsByPointerCursorAreFoundAndPressed(t *testing.T) {
	tb := open(t)
	tb.show(`<style>.card{cursor:pointer} .no:hover{cursor:pointer}</style>
<div class=card id=a>Open the card <b>now</b></div><div class=no>Not one</div><div id=late>Later</div>
<script>a.addEventListener('click',()=>{a.append(' opened')})</script>`)
	pc := tb.observe()
	if len(pc.Controls) != 1 || pc.Controls[0].Role != "generic" || !slices.Contains(pc.Controls[0].States, "clickable") {
		t.Fatalf("controls: %+v", pc.Controls)
	}
	if r := tb.click(pc.Controls[0].Ref); len(r.Delta.Changed) != 1 {
		t.Errorf("delta: %+v", r.Delta)
	}
	tb.eval(`document.styleSheets[0].insertRule('#late{cursor:pointer}'), 0`)
	if pc := tb.observe(); len(pc.Controls) != 2 {
		t.Errorf("a rule that came later: %+v", pc.Controls)
	}
}

func TestClosedShadowRootsAreWalked(t *testing.T) {
	tb := open(t)
	tb.show(`<x-box></x-box><script>customElements.define('x-box',class extends HTMLElement{constructor(){super();
const r=this.attachShadow({mode:'closed'});r.innerHTML='<button>Inside</button>';r.firstChild.onclick=()=>log('inside')}})</script>`)
	pc := tb.observe()
	tb.click(ref(t, pc, "Inside"))
	tb.wantLog("inside")
}
