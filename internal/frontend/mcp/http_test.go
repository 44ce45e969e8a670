package mcp

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/internal/frontend/frontendtest"
)

const tokenA, tokenB = "token-of-the-first-agent", "token-of-the-other-agent"

func serveHTTP(t *testing.T, o *HTTPOptions) (string, *frontendtest.World) {
	t.Helper()
	table, world := frontendtest.Table()
	s, err := New(table, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() { done <- s.ServeHTTP(ctx, "127.0.0.1:0", o, func(a net.Addr) { ready <- a }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case a := <-ready:
		return a.String(), world
	case err := <-done:
		done <- nil
		t.Fatal(err)
		return "", nil
	}
}

// bearer adds the token, as agents do.
type bearer struct {
	token string
	base  http.RoundTripper
}

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.base.RoundTrip(r)
}

func httpAgent(t *testing.T, addr, token, version string) *sdk.ClientSession {
	t.Helper()
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: "http://" + addr + "/mcp", HTTPClient: &http.Client{Transport: &bearer{token, base}}, DisableStandaloneSSE: true,
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func TestHTTPCallsAndSessionsOfTokens(t *testing.T) {
	addr, _ := serveHTTP(t, &HTTPOptions{Tokens: []string{tokenA, tokenB}})
	for _, v := range []string{"2025-03-26", "2025-11-25", "2026-07-28"} {
		t.Run(v, func(t *testing.T) {
			a, b := httpAgent(t, addr, tokenA, v), httpAgent(t, addr, tokenB, v)
			call(t, a, "note", map[string]any{"text": "canary of A", "session": "same" + v})
			if got := textOf(t, call(t, b, "note", map[string]any{"text": "canary of B", "session": "same" + v})); strings.Contains(got, "canary") {
				t.Errorf("the other token saw %s", got)
			}
			if got := textOf(t, call(t, a, "note", map[string]any{"text": "x", "session": "same" + v})); !strings.Contains(got, "canary of A") {
				t.Errorf("the token's own session lost its note: %s", got)
			}
		})
	}
}

func TestHTTPRefusals(t *testing.T) {
	addr, world := serveHTTP(t, &HTTPOptions{Tokens: []string{tokenA}, Origins: []string{"http://inspector.test"}})
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		body   string
		want   int
	}{
		{"good", nil, list, 200},
		{"localhost", func(r *http.Request) { r.Host = strings.Replace(addr, "127.0.0.1", "localhost", 1) }, list, 200},
		{"own origin", func(r *http.Request) { r.Header.Set("Origin", "http://"+addr) }, list, 200},
		{"allowed origin", func(r *http.Request) { r.Header.Set("Origin", "http://inspector.test") }, list, 200},
		{"evil host", func(r *http.Request) { r.Host = "evil.test" }, list, 403},
		{"rebound", func(r *http.Request) { r.Host = "evil.test"; r.Header.Set("Origin", "http://evil.test") }, list, 403},
		{"host without port", func(r *http.Request) { r.Host = "127.0.0.1" }, list, 403},
		{"evil origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.test") }, list, 403},
		{"null origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, list, 403},
		{"two origins", func(r *http.Request) { r.Header["Origin"] = []string{"http://" + addr, "http://evil.test"} }, list, 403},
		{"cross site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, list, 403},
		{"preflight", func(r *http.Request) { r.Method = "OPTIONS"; r.Header.Set("Origin", "http://evil.test") }, "", 403},
		{"no token", func(r *http.Request) { r.Header.Del("Authorization") }, list, 401},
		{"wrong token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+tokenB) }, list, 401},
		{"basic", func(r *http.Request) { r.Header.Set("Authorization", "Basic "+tokenA) }, list, 401},
		{"empty token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, list, 401},
		{"text/plain", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, list, 415},
		{"no content type", func(r *http.Request) { r.Header.Del("Content-Type") }, list, 415},
		{"GET", func(r *http.Request) { r.Method = "GET"; r.Header.Del("Content-Type") }, "", 405},
		{"GET, evil", func(r *http.Request) { r.Method = "GET"; r.Header.Set("Origin", "http://evil.test") }, "", 403},
		{"DELETE", func(r *http.Request) { r.Method = "DELETE" }, "", 405},
		{"other path", func(r *http.Request) { r.URL.Path = "/admin" }, list, 404},
		{"duplicate", nil, `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, 400},
		{"case variant", nil, `{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/list"}`, 400},
		{"batch", nil, "[" + list + "]", 400},
		{"too large", nil, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("a", 5<<20) + `"}}`, 413},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+addr+"/mcp", strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+tokenA)
			r.Header.Set("Content-Type", "application/json; charset=utf-8")
			r.Header.Set("Accept", "application/json, text/event-stream")
			if c.change != nil {
				c.change(r)
			}
			res, err := base.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != c.want {
				t.Errorf("status %d, want %d: %s", res.StatusCode, c.want, body)
			}
			if res.Header.Get("Access-Control-Allow-Origin") != "" || bytes.Contains(body, []byte("evil")) {
				t.Errorf("the answer helps a foreign page: %v %s", res.Header, body)
			}
		})
	}
	if n := world.Started("echo"); n != 0 {
		t.Errorf("%d calls were started", n)
	}
}

// A client that hangs up ends its call, whatever protocol version it speaks.
func TestHTTPDisconnectCancels(t *testing.T) {
	addr, world := serveHTTP(t, &HTTPOptions{Tokens: []string{tokenA}})
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+addr+"/mcp", strings.NewReader(callLine("1", "block", "{}")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+tokenA)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	done := make(chan struct{})
	go func() {
		defer close(done)
		if res, err := base.RoundTrip(r); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}()
	world.Await(t, "the call to start", func() bool { return world.Started("block") == 1 })
	cancel()
	world.Await(t, "the call to end", func() bool { return world.Ended("block") == 1 })
	<-done
}

func TestHTTPRefusesToStart(t *testing.T) {
	table, _ := frontendtest.Table()
	s, err := New(table, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		address string
		o       *HTTPOptions
	}{
		"no token":    {"127.0.0.1:0", &HTTPOptions{}},
		"nil":         {"127.0.0.1:0", nil},
		"short token": {"127.0.0.1:0", &HTTPOptions{Tokens: []string{"short"}}},
		"any address": {"0.0.0.0:0", &HTTPOptions{Tokens: []string{tokenA}}},
		"all":         {":0", &HTTPOptions{Tokens: []string{tokenA}}},
		"IPv6":        {"[::]:0", &HTTPOptions{Tokens: []string{tokenA}}},
		"no port":     {"127.0.0.1", &HTTPOptions{Tokens: []string{tokenA}}},
	} {
		if err := s.ServeHTTP(t.Context(), c.address, c.o, func(net.Addr) { t.Errorf("%s: it listens", name) }); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
