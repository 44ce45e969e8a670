package mcp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"testing"
)

// conformanceEnv names the address on which TestConformanceFixture serves for the public conformance suite, until it is
// interrupted:
//
//	GLASS_CONFORMANCE=127.0.0.1:7400 go test -run TestConformanceFixture -timeout 0 ./internal/frontend/mcp &
//	npx @modelcontextprotocol/conformance server --url http://127.0.0.1:7400/mcp
//
// scripts/conformance.sh does both. The suite asks for tools, resources and prompts by name: conformanceTable has them, as
// operations, documents and prompts of a table like any other.
const conformanceEnv = "GLASS_CONFORMANCE"

func TestConformanceFixture(t *testing.T) {
	address := os.Getenv(conformanceEnv)
	if address == "" {
		t.Skip("serves the conformance suite; set " + conformanceEnv)
	}
	server, err := New(conformanceTable(t), &Options{Version: "conformance", keepSessions: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	defer stop()
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	o := &HTTPOptions{Tokens: []string{tokenA}, Hosts: []string{address}}
	go func() { done <- server.ServeHTTP(ctx, "127.0.0.1:0", o, func(a net.Addr) { ready <- a }) }()
	front := &http.Server{Addr: address, Handler: withToken(<-ready), ReadHeaderTimeout: headerTime}
	context.AfterFunc(ctx, func() { front.Close() })
	if err := front.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// withToken passes requests on with the token that the suite cannot send. Host and Origin stay as they came, so that
// the suite's rebinding scenario meets Glass's own check.
func withToken(to net.Addr) http.Handler {
	target := &url.URL{Scheme: "http", Host: to.String()}
	return &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+tokenA)
	}}
}
