package chrome

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// freePort finds a port that nobody listens on now.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestPortIsOpenOnLoopbackBesideThePipe(t *testing.T) {
	o := options(t)
	o.Port = freePort(t)
	b, w := launch(t, o)
	if want := fmt.Sprintf("ws://127.0.0.1:%d/devtools/browser/", o.Port); !strings.HasPrefix(b.Endpoint, want) {
		t.Errorf("endpoint %q does not start with %q", b.Endpoint, want)
	}
	if err := w.call("", "Browser.getVersion", nil, nil); err != nil {
		t.Error(why(b, err))
	}
	url, remote, err := ResolveEndpoint(testContext(t), fmt.Sprint(o.Port))
	if url != b.Endpoint || remote || err != nil {
		t.Errorf("resolved to %q, remote %v, %v", url, remote, err)
	}
}

func TestOccupiedPortIsRefused(t *testing.T) {
	needChromium(t)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	o := options(t)
	o.Port = listener.Addr().(*net.TCPAddr).Port
	_, err = Launch(testContext(t), o)
	if kindOf(err) != Occupied {
		t.Errorf("got %v, want kind %s", err, Occupied)
	}
}

func TestPortTakenByAnotherAfterTheCheckIsRefused(t *testing.T) {
	needChromium(t)
	o := options(t)
	checked, err := o.check()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	checked.Port = listener.Addr().(*net.TCPAddr).Port
	executable, err := Find(testContext(t), "", o.Folders)
	if err != nil {
		t.Fatal(err)
	}
	_, err = launchChecked(testContext(t), executable, checked, *o.Folders)
	if kindOf(err) != Occupied {
		t.Errorf("got %v, want kind %s", err, Occupied)
	}
}
