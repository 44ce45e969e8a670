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
	"time"

	"github.com/glasskit/glass/internal/operation"
)

// conformanceEnv names the address on which TestConformanceFixture serves for the public conformance suite, until it is
// interrupted:
//
//	GLASS_CONFORMANCE=127.0.0.1:7400 go test -run TestConformanceFixture -timeout 0 ./internal/frontend/mcp &
//	npx @modelcontextprotocol/conformance server --url http://127.0.0.1:7400/mcp
//
// scripts/conformance.sh does both. The suite asks for tools, resources and prompts by name; those that the operation
// table has words for come from a table, the others (audio, embedded resources, templates, sampling, elicitation,
// completion, logging) from conformance_beyond_test.go, behind the same checks.
const conformanceEnv = "GLASS_CONFORMANCE"

func TestConformanceFixture(t *testing.T) {
	address := os.Getenv(conformanceEnv)
	if address == "" {
		t.Skip("serves the conformance suite; set " + conformanceEnv)
	}
	server, err := New(conformanceTable(t), &Options{Version: "conformance", beyond: conformanceBeyond()})
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

type pixel struct {
	Format string `json:"format"`
}

// Images is the suite's picture: one red dot.
func (pixel) Images() []operation.Image {
	return []operation.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01" +
		"\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef" +
		"\x00\x00\x00\x00IEND\xaeB`\x82")}}
}

type said string

func (s said) PlainText() (string, bool) { return string(s), true }

func conformanceTable(t *testing.T) *operation.Table {
	t.Helper()
	spec := func(name string) operation.Spec {
		return operation.Spec{Name: name, Toolset: operation.Browser, Summary: "A tool of the conformance suite."}
	}
	type none struct{}
	table, err := operation.NewTable(operation.TableConfig{
		Operations: []*operation.Operation{
			operation.Define(spec("test_simple_text"), func(context.Context, *operation.Call, none) (said, error) {
				return "This is a simple text response for testing.", nil
			}),
			operation.Define(spec("test_image_content"), func(context.Context, *operation.Call, none) (pixel, error) {
				return pixel{Format: "png"}, nil
			}),
			operation.Define(spec("test_error_handling"), func(context.Context, *operation.Call, none) (none, error) {
				return none{}, errors.New("this tool intentionally returns an error for testing")
			}),
			operation.Define(spec("test_tool_with_progress"), func(ctx context.Context, call *operation.Call, _ none) (said, error) {
				tick := time.NewTicker(2 * progressEvery)
				defer tick.Stop()
				for _, done := range []float64{0, 50, 100} {
					call.Report(done, 100, "Completed step")
					select {
					case <-tick.C:
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				return "done", nil
			}),
		},
		Documents: []operation.Document{
			{
				URI: "test://static-text", Name: "static-text", Description: "A static text resource.", MIME: "text/plain",
				Read: func(context.Context, *operation.Call) ([]byte, error) {
					return []byte("This is the content of the static text resource."), nil
				},
			},
			{
				URI: "test://watched-resource", Name: "watched-resource", Description: "Changes now and then.", MIME: "text/plain",
				Read:  func(context.Context, *operation.Call) ([]byte, error) { return []byte(time.Now().String()), nil },
				Watch: everySecond,
			},
		},
		Prompts: []operation.Prompt{
			{Name: "test_simple_prompt", Description: "A prompt without arguments.", Render: func(map[string]string) string {
				return "This is a simple prompt for testing."
			}},
			{
				Name: "test_prompt_with_arguments", Description: "A prompt with arguments.",
				Arguments: []operation.PromptArgument{{Name: "arg1", Doc: "first", Required: true}, {Name: "arg2", Doc: "second", Required: true}},
				Render: func(a map[string]string) string {
					return "Prompt with arguments: arg1='" + a["arg1"] + "', arg2='" + a["arg2"] + "'"
				},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func everySecond(ctx context.Context, _ *operation.Call, changed func()) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			changed()
		case <-ctx.Done():
			return nil
		}
	}
}
