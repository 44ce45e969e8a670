package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/frontend/frontendtest"
	"github.com/glasskit/glass/internal/operation"
)

// serve runs a server of the test table on one end of a pipe and gives the other.
func serve(t *testing.T, opts *Options) (net.Conn, *frontendtest.World) {
	t.Helper()
	table, world := frontendtest.Table()
	if opts != nil && opts.Backend == nil {
		opts.Backend = table
	}
	s, err := New(table, opts)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.ServeStream(context.Background(), theirs, theirs); err != nil {
			t.Errorf("ServeStream: %v", err)
		}
	})
	t.Cleanup(func() { ours.Close(); running.Wait() })
	return ours, world
}

// agent is the SDK's client, which shares no code with the server's own parts.
func agent(t *testing.T, opts *Options, o *sdk.ClientOptions, version string) (*sdk.ClientSession, *frontendtest.World) {
	t.Helper()
	conn, world := serve(t, opts)
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: conn, Writer: conn}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session, world
}

func call(t *testing.T, s *sdk.ClientSession, name string, args any) *sdk.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

func textOf(t *testing.T, res *sdk.CallToolResult) string {
	t.Helper()
	item, ok := res.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("first item is %T", res.Content[0])
	}
	return item.Text
}

var versions = []string{"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestCallsWithEveryVersion(t *testing.T) {
	for _, v := range versions {
		t.Run(v, func(t *testing.T) {
			s, _ := agent(t, nil, nil, v)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) == 0 || list.Tools[0].Name != "echo" {
				t.Fatalf("tools: %+v, %v", list, err)
			}
			res := call(t, s, "echo", map[string]any{"text": "<hi>", "session": "work", "targetId": "T"})
			if got := textOf(t, res); got != `{"text":"<hi>","session":"work","agent":true}` || res.IsError {
				t.Errorf("got %s", got)
			}
			if cost, _ := json.Marshal(res.Meta[metaCost]); string(cost) != `{"estimatedTokens":12,"payloadBytes":45}` {
				t.Errorf("cost is %s", cost)
			}
		})
	}
}

func TestResults(t *testing.T) {
	s, _ := agent(t, &Options{Tools: "all"}, nil, "2025-11-25")
	t.Run("plain text", func(t *testing.T) {
		if got := textOf(t, call(t, s, "outline", nil)); !strings.HasPrefix(got, "page \"Home\"\n") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("image", func(t *testing.T) {
		res := call(t, s, "picture", nil)
		im, ok := res.Content[1].(*sdk.ImageContent)
		if !ok || im.MIMEType != "image/png" || textOf(t, res) != `{"width":1}` {
			t.Errorf("got %+v", res.Content)
		}
	})
	t.Run("structured", func(t *testing.T) {
		res := call(t, s, "structured", nil)
		if got, _ := json.Marshal(res.StructuredContent); string(got) != `{"name":"a","value":"b"}` || len(res.Meta) != 0 {
			t.Errorf("got %s with _meta %v", got, res.Meta)
		}
	})
	for name, want := range map[string]contract.Failure{
		`failWith {"kind":"timeout"}`: {Kind: contract.Timeout, Phase: contract.PhaseDispatch},
		`echo {"txet":"x"}`:           {Kind: contract.InvalidArgument, Phase: contract.PhasePreflight, Argument: "txet"},
		`echo {"text":1}`:             {Kind: contract.InvalidArgument, Phase: contract.PhasePreflight, Argument: "text"},
		`large {}`:                    {Kind: contract.Unavailable, Phase: contract.PhaseTransport},
	} {
		t.Run(name, func(t *testing.T) {
			tool, args, _ := strings.Cut(name, " ")
			res := call(t, s, tool, json.RawMessage(args))
			var f contract.Failure
			if err := json.Unmarshal([]byte(textOf(t, res)), &f); err != nil {
				t.Fatal(err)
			}
			if !res.IsError || f.Kind != want.Kind || f.Phase != want.Phase || f.Argument != want.Argument {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestPrivateMetaIsIgnoredElsewhere(t *testing.T) {
	s, _ := agent(t, &Options{Client: "me"}, nil, "2025-11-25")
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "echo", Arguments: map[string]any{"text": "x"},
		Meta: sdk.Meta{metaForm: "full", metaClient: "cli", metaOptions: map[string]any{"noSandbox": true}, metaSession: "stolen"},
	})
	if err != nil || textOf(t, res) != `{"text":"x","session":"default","agent":true}` {
		t.Errorf("got %v, %v", res, err)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "sessions"}); err == nil {
		t.Error("an operation of the session toolset could be called")
	}
}

func TestSelect(t *testing.T) {
	table, _ := frontendtest.Table()
	browser := []string{"echo", "note", "drop", "fillForm", "outline", "picture", "failWith", "block", "stubborn", "large", "progress"}
	for selection, want := range map[string][]string{
		"":                       browser,
		"browser":                browser,
		"+getExtra,-echo":        append(slices.Clone(browser[1:]), "getExtra"),
		"browser-extra":          {"getExtra"},
		"feed, browser-extra":    {"getExtra", "structured"},
		"all":                    append(slices.Clone(browser), "getExtra", "structured"),
		"browser-extra,+outline": {"outline", "getExtra"},
	} {
		ops, err := Select(table, selection)
		var got []string
		for _, op := range ops {
			got = append(got, op.Name)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, %v; want %v", selection, got, err, want)
		}
	}
	for selection, want := range map[string]string{
		"browsr": `unknown toolset "browsr"; did you mean browser?`, "+ecoh": `unknown operation "ecoh"; did you mean echo?`,
		"session": `unknown toolset "session"; known are browser, browser-extra, feed, all`, "+sessions": "unknown operation",
	} {
		if _, err := Select(table, selection); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", selection, err, want)
		}
	}
}

// The catalogue says no more than is needed: hints only where they differ from what MCP assumes.
func TestCatalogue(t *testing.T) {
	table, _ := frontendtest.Table()
	ops, err := Select(table, "+getExtra")
	if err != nil {
		t.Fatal(err)
	}
	data, err := Catalogue(ops[1:3])
	want := `[{"name":"note","description":"Keep a note for later.","inputSchema":{"type":"object","properties":` +
		`{"text":{"type":"string","description":"what to keep"}},"required":["text"]},` +
		`"annotations":{"destructiveHint":false,"idempotentHint":true}},` +
		`{"name":"drop","description":"Throw everything away.","inputSchema":{"type":"object"}}]`
	if err != nil || string(data) != want {
		t.Errorf("got  %s, %v\nwant %s", data, err, want)
	}
}

func TestProgress(t *testing.T) {
	got := make(chan *sdk.ProgressNotificationParams, 16)
	s, _ := agent(t, nil, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { got <- r.Params },
	}, "2025-11-25")
	params := &sdk.CallToolParams{Name: "progress", Arguments: map[string]any{"steps": 3}}
	params.SetProgressToken("p")
	if _, err := s.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for p := range got { // the last one is always sent
		if p.Progress == 3 {
			if p.Total != 3 || p.Message != "step" || p.ProgressToken != "p" {
				t.Errorf("got %+v", p)
			}
			return
		}
	}
}

func TestDocumentsAndPrompts(t *testing.T) {
	changed := make(chan string, 16)
	s, world := agent(t, nil, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { changed <- r.Params.URI },
	}, "2025-11-25")
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Fatalf("resources: %+v, %v", list, err)
	}
	read, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://static"})
	if err != nil || read.Contents[0].Text != "# Static\n" || read.Contents[0].MIMEType != "text/markdown" {
		t.Errorf("read: %+v, %v", read, err)
	}
	if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://broken"}); err == nil || !strings.Contains(err.Error(), "nothing is open") {
		t.Errorf("reading the broken document: %v", err)
	}
	if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "test://live"}); err != nil {
		t.Fatal(err)
	}
	world.Await(t, "the watch to start", func() bool { return world.Started("watch") == 1 })
	call(t, s, "note", map[string]any{"text": "milk"})
	if uri := <-changed; uri != "test://live" {
		t.Errorf("changed: %s", uri)
	}
	if err := s.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: "test://live"}); err != nil {
		t.Fatal(err)
	}
	world.Await(t, "the watch to end", func() bool { return world.Ended("watch") == 1 })
	prompt, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "Ada"}})
	if err != nil || prompt.Messages[0].Content.(*sdk.TextContent).Text != "Say hello to Ada." {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
	if _, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet"}); err == nil {
		t.Error("a prompt without its required argument was given")
	}
}

func TestClient(t *testing.T) {
	conn, world := serve(t, &Options{Private: true, Version: "v7"})
	c, err := Dial(t.Context(), conn, "v8")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Version() != "v7" {
		t.Errorf("version is %s", c.Version())
	}
	as := &operation.Call{Client: operation.ClientCLI, Session: "s", Dir: "/d", Options: []byte(`{"noSandbox":true}`)}
	for _, k := range []struct {
		name, args, want string
		form             operation.Form
	}{
		{"echo", `{"text":"x"}`, `{"text":"x","session":"s","client":"cli","dir":"/d","options":"{\"noSandbox\":true}"}`, operation.Full},
		{"echo", `{"text":"x"}`, `{"text":"x","session":"s"}`, operation.Compact},
		{"sessions", ``, `{"rows":[{"name":"default","value":"open"}],"Note":""}`, operation.Human},
	} {
		res, err := c.Execute(t.Context(), as, k.name, []byte(k.args), k.form)
		if err != nil || string(res.JSON) != k.want || res.Text != "" {
			t.Errorf("%s %s: got %+v, %v", k.form, k.name, res, err)
		}
	}
	if res, err := c.Execute(t.Context(), as, "outline", nil, operation.Human); err != nil || res.JSON != nil || !strings.HasPrefix(res.Text, "page") {
		t.Errorf("outline: %+v, %v", res, err)
	}
	if res, err := c.Execute(t.Context(), as, "picture", nil, operation.Full); err != nil || len(res.Attachments) != 1 || res.Attachments[0].MIME != "image/png" {
		t.Errorf("picture: %+v, %v", res, err)
	}
	_, err = c.Execute(t.Context(), as, "failWith", []byte(`{"kind":"denied"}`), operation.Full)
	if f, ok := errors.AsType[*contract.Failure](err); !ok || f.Kind != contract.Denied || f.Hint != "try something else" {
		t.Errorf("failWith: %#v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.Execute(ctx, as, "block", nil, operation.Full)
		done <- err
	}()
	world.Await(t, "the call to start", func() bool { return world.Started("block") == 1 })
	cancel()
	if f, ok := errors.AsType[*contract.Failure](<-done); !ok || f.Kind != contract.Canceled {
		t.Errorf("canceled call: %#v", f)
	}
	world.Await(t, "the call to end", func() bool { return world.Ended("block") == 1 })
}

func TestClientWatches(t *testing.T) {
	conn, world := serve(t, &Options{Private: true})
	c, err := Dial(t.Context(), conn, "1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	changed, done := make(chan struct{}, 16), make(chan error, 1)
	go func() { done <- c.WatchDocument(ctx, nil, "test://live", func() { changed <- struct{}{} }) }()
	world.Await(t, "the watch to start", func() bool { return world.Started("watch") == 1 })
	if _, err := c.Execute(t.Context(), nil, "note", []byte(`{"text":"x"}`), operation.Full); err != nil {
		t.Fatal(err)
	}
	<-changed
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	world.Await(t, "the watch to end", func() bool { return world.Ended("watch") == 1 })
	go func() { done <- c.WatchDocument(t.Context(), nil, "test://live", func() {}) }()
	world.Await(t, "the second watch to start", func() bool { return world.Started("watch") == 2 })
	conn.Close()
	if f, ok := errors.AsType[*contract.Failure](<-done); !ok || f.Reason != DaemonGone {
		t.Errorf("the watch of a broken connection ended with %v", f)
	}
}
