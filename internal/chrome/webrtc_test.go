package chrome

import (
	"fmt"
	"net"
	"net/http/httptest"
	"testing"
)

// gather asks for connection candidates by way of a STUN server; its promise resolves when there are no more.
const gather = `globalThis.gathered = (async () => {
	const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%[1]d'}, {urls: 'stun:localhost:%[1]d'}]});
	peer.createDataChannel('x');
	const done = new Promise(r => peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && r());
	await peer.setLocalDescription(await peer.createOffer());
	await done;
})(); 1`

// stunServer takes packets and never answers. The first one is told on the channel, which is closed with the socket.
func stunServer(t *testing.T) (port int, packets <-chan int) {
	t.Helper()
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	first, ended := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for buffer := make([]byte, 2048); ; {
			n, _, err := udp.ReadFrom(buffer)
			if err != nil {
				return
			}
			select {
			case first <- n:
			default: // one is enough
			}
		}
	}()
	t.Cleanup(func() {
		udp.Close()
		<-ended
	})
	return udp.LocalAddr().(*net.UDPAddr).Port, first
}

// WebRTC is the way around an HTTP proxy: it speaks UDP. Without a proxy the page below sends packets, which shows that
// the test sees them.
func TestWebRTCSpeaksUDPWithoutAProxy(t *testing.T) {
	b, w := launch(t, options(t))
	session, err := w.open("data:text/html,<p>hello")
	if err != nil {
		t.Fatal(why(b, err))
	}
	port, packets := stunServer(t)
	if _, err := w.evaluate(session, fmt.Sprintf(gather, port)); err != nil {
		t.Fatal(why(b, err))
	}
	select {
	case <-packets:
	case <-testContext(t).Done():
		t.Error("no packet came: the test behind a proxy proves nothing")
	}
}

func TestWebRTCStaysBehindTheProxy(t *testing.T) {
	proxy := httptest.NewServer(&countingProxy{})
	defer proxy.Close()
	o := options(t)
	o.ProxyServer = proxy.URL
	b, w := launch(t, o)
	session, err := w.open("http://pages.test/")
	if err != nil {
		t.Fatal(why(b, err))
	}
	port, packets := stunServer(t)
	for _, expression := range []string{fmt.Sprintf(gather, port), "gathered.then(() => 1)"} {
		if got, err := w.evaluate(session, expression); err != nil || got != "1" {
			t.Fatal(got, why(b, err))
		}
	}
	select {
	case n := <-packets:
		t.Errorf("a packet of %d bytes went past the proxy", n)
	default:
	}
}
