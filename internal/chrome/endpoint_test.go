package chrome

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestResolveEndpoint(t *testing.T) {
	const answer = `{"Browser":"Chrome/1","webSocketDebuggerUrl":"ws://elsewhere.test:1/devtools/browser/abc"}`
	mux := http.NewServeMux()
	reply := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
	}
	mux.HandleFunc("/json/version", reply(answer))
	mux.HandleFunc("/grid/json/version", reply(answer))
	mux.HandleFunc("/html/json/version", reply("<html>"))
	mux.HandleFunc("/file/json/version", reply(`{"webSocketDebuggerUrl":"file:///etc/passwd"}`))
	mux.Handle("/moved/json/version", http.RedirectHandler("/json/version", http.StatusFound))
	server := httptest.NewServer(mux)
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := net.SplitHostPort(host)
	tests := []struct {
		name, spec, want string
		remote           bool
		kind             Kind
	}{
		{name: "a port", spec: port, want: "ws://" + host + "/devtools/browser/abc"},
		{name: "an address", spec: server.URL, want: "ws://" + host + "/devtools/browser/abc"},
		{name: "an address with a slash", spec: server.URL + "/", want: "ws://" + host + "/devtools/browser/abc"},
		{name: "the version's own address", spec: server.URL + "/json/version", want: "ws://" + host + "/devtools/browser/abc"},
		{name: "a path", spec: server.URL + "/grid?token=x", want: "ws://" + host + "/devtools/browser/abc?token=x"},
		{name: "a WebSocket", spec: "ws://127.0.0.1:9/devtools/browser/x", want: "ws://127.0.0.1:9/devtools/browser/x"},
		{name: "one elsewhere", spec: "wss://grid.test/x?token=y", want: "wss://grid.test/x?token=y", remote: true},
		{name: "a name that only looks local", spec: "ws://localhost.evil.test/", want: "ws://localhost.evil.test/", remote: true},
		{name: "a number that resolves to loopback", spec: "ws://2130706433/", want: "ws://2130706433/", remote: true},
		{name: "user information", spec: "ws://localhost@evil.test/", want: "ws://localhost@evil.test/", remote: true},
		{name: "localhost", spec: "ws://LocalHost./", want: "ws://LocalHost./"},
		{name: "IPv6", spec: "ws://[::1]:9/", want: "ws://[::1]:9/"},
		{name: "mapped IPv6", spec: "ws://[::ffff:127.0.0.1]:9/", want: "ws://[::ffff:127.0.0.1]:9/"},
		{name: "no JSON", spec: server.URL + "/html", kind: NotFound},
		{name: "no WebSocket", spec: server.URL + "/file", kind: NotFound},
		{name: "a redirect", spec: server.URL + "/moved", kind: NotFound},
		{name: "not there", spec: server.URL + "/none", kind: NotFound},
		{name: "port zero", spec: "0", kind: Invalid},
		{name: "a large port", spec: "65536", kind: Invalid},
		{name: "a host alone", spec: "localhost:9222", kind: Invalid},
		{name: "a file", spec: "file:///x", kind: Invalid},
		{name: "no host", spec: "ws:///x", kind: Invalid},
		{name: "garbage", spec: "\x00", kind: Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, remote, err := ResolveEndpoint(testContext(t), tt.spec)
			wrong := err == nil && remote != tt.remote || tt.kind == "" && err != nil
			if got != tt.want || kindOf(err) != tt.kind || wrong {
				t.Errorf("got %q, remote %v, %v; want %q, remote %v, kind %q", got, remote, err, tt.want, tt.remote, tt.kind)
			}
		})
	}
}

func TestEndpointFromThePortFile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	if _, _, err := ResolveEndpoint(testContext(t), ""); kindOf(err) != NotFound {
		t.Errorf("without a file: %v", err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	dirs := userDataDirs()
	mustDo(t,
		os.MkdirAll(dirs[0], 0o700), os.MkdirAll(dirs[1], 0o700),
		writePortFile(dirs[0], freePort(t), "dead"),
		writePortFile(dirs[1], port, "alive"))
	got, remote, err := ResolveEndpoint(testContext(t), "")
	if want := fmt.Sprintf("ws://127.0.0.1:%d/devtools/browser/alive", port); got != want || remote || err != nil {
		t.Errorf("got %q, remote %v, %v; want %q", got, remote, err, want)
	}
}

func writePortFile(dir string, port int, id string) error {
	text := fmt.Sprintf("%d\n/devtools/browser/%s\n", port, id)
	return os.WriteFile(filepath.Join(dir, "DevToolsActivePort"), []byte(text), 0o600)
}

func FuzzPortFile(f *testing.F) {
	f.Add("9222\n/devtools/browser/abc\n")
	f.Add("9222\n/devtools/browser@evil.test/\n")
	f.Add("1\n/devtools/browser/\x00")
	f.Fuzz(func(t *testing.T, text string) {
		port, path, ok := parsePortFile(text)
		if !ok {
			return
		}
		u, err := url.Parse(fmt.Sprintf("ws://127.0.0.1:%d%s", port, path))
		if err != nil || u.Host != fmt.Sprintf("127.0.0.1:%d", port) || u.Path != path {
			t.Errorf("%q became %v, %v", text, u, err)
		}
	})
}

func FuzzEndpointFromVersion(f *testing.F) {
	f.Add([]byte(`{"webSocketDebuggerUrl":"ws://a:1/devtools/browser/abc?x=y"}`))
	f.Add([]byte(`{"webSocketDebuggerUrl":"ws://a\\@b/%2f"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := endpointFromVersion(data, &url.URL{Scheme: "http", Host: "127.0.0.1:9222"})
		if err != nil {
			return
		}
		if u, err := url.Parse(got); err != nil || u.Host != "127.0.0.1:9222" || u.Scheme != "ws" {
			t.Errorf("%q leads to %q", data, got)
		}
	})
}
