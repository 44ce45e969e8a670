package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// suite serves conformanceTable on one end of a pipe and gives the other.
func suite(t *testing.T, opts *Options) net.Conn {
	t.Helper()
	s, err := New(conformanceTable(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.ServeStream(context.Background(), theirs, theirs); err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("ServeStream: %v", err)
		}
	})
	t.Cleanup(func() { ours.Close(); running.Wait() })
	return ours
}

// asked connects a client that can be asked.
func asked(t *testing.T, conn net.Conn, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: conn, Writer: conn}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func willing() *sdk.ClientOptions {
	return &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"username": "u", "email": req.Params.Message}}, nil
		},
		CreateMessageHandler: func(_ context.Context, req *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{Model: "m", Role: "assistant", Content: &sdk.TextContent{Text: "four"}}, nil
		},
	}
}

func TestQuestions(t *testing.T) {
	const person = `User response: action=accept, content={"email":"who?","username":"u"}`
	for _, v := range versions {
		t.Run(v, func(t *testing.T) {
			s := asked(t, suite(t, nil), v, willing())
			if got := textOf(t, call(t, s, "test_elicitation", map[string]any{"message": "who?"})); got != person {
				t.Errorf("person: %s", got)
			}
			if got := textOf(t, call(t, s, "test_sampling", map[string]any{"prompt": "2+2"})); got != "LLM response: four" {
				t.Errorf("model: %s", got)
			}
		})
		t.Run(v+" through the daemon", func(t *testing.T) {
			behind, err := Dial(t.Context(), suite(t, &Options{Private: true}), "1")
			if err != nil {
				t.Fatal(err)
			}
			defer behind.Close()
			s := asked(t, suite(t, &Options{Backend: behind}), v, willing())
			if got := textOf(t, call(t, s, "test_elicitation", map[string]any{"message": "who?"})); got != person {
				t.Errorf("person: %s", got)
			}
			if got := textOf(t, call(t, s, "test_sampling", map[string]any{"prompt": "2+2"})); got != "LLM response: four" {
				t.Errorf("model: %s", got)
			}
		})
		t.Run(v+" declined", func(t *testing.T) {
			s := asked(t, suite(t, nil), v, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "decline"}, nil
			}})
			if got := textOf(t, call(t, s, "test_elicitation", map[string]any{"message": "who?"})); !strings.Contains(got, "action=decline") {
				t.Errorf("got %s", got)
			}
		})
		t.Run(v+" of a client that cannot be asked", func(t *testing.T) {
			s := asked(t, suite(t, nil), v, nil)
			for name, args := range map[string]any{
				"test_elicitation": map[string]any{"message": "who?"}, "test_sampling": map[string]any{"prompt": "2+2"},
			} {
				f, res := &contract.Failure{}, call(t, s, name, args)
				if err := json.Unmarshal([]byte(textOf(t, res)), f); err != nil || !res.IsError || f.Kind != contract.Unavailable {
					t.Errorf("%s: %s", name, textOf(t, res))
				}
			}
		})
	}
}

func TestAttachmentsThroughTheDaemon(t *testing.T) {
	c, err := Dial(t.Context(), suite(t, &Options{Private: true}), "1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	res, err := c.Execute(t.Context(), nil, "test_multiple_content_types", nil, operation.Full)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Attachments) != 2 || string(res.Attachments[0].Data) != string(dot) || res.Attachments[1].Text != "mixed" ||
		res.Attachments[1].URI != "test://mixed-content-resource" || res.Text != "Multiple content types test:" {
		t.Errorf("got %+v", res)
	}
	if data, err := c.ReadDocument(t.Context(), nil, "test://static-binary"); err != nil || string(data) != string(dot) {
		t.Errorf("binary document: %q, %v", data, err)
	}
	if data, err := c.ReadDocument(t.Context(), nil, "test://template/7/data"); err != nil || !strings.Contains(string(data), `"id":"7"`) {
		t.Errorf("document of a family: %q, %v", data, err)
	}
}

func TestCompletionAndLog(t *testing.T) {
	var heard []string
	var mu sync.Mutex
	s := asked(t, suite(t, nil), "2025-11-25", &sdk.ClientOptions{LoggingMessageHandler: func(_ context.Context, req *sdk.LoggingMessageRequest) {
		mu.Lock()
		defer mu.Unlock()
		text, _ := req.Params.Data.(string)
		heard = append(heard, text)
	}})
	if err := s.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
	call(t, s, "test_tool_with_logging", nil) // its messages come before its answer
	mu.Lock()
	if len(heard) != 3 || heard[0] != "Tool execution started" {
		t.Errorf("heard %q", heard)
	}
	mu.Unlock()
	for _, k := range []struct{ argument, want string }{{"arg1", "x1 x2"}, {"arg2", ""}, {"other", ""}} {
		res, err := s.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "test_prompt_with_arguments"},
			Argument: sdk.CompleteParamsArgument{Name: k.argument, Value: "x"},
		})
		if err != nil || strings.Join(res.Completion.Values, " ") != k.want {
			t.Errorf("%s: %+v, %v", k.argument, res, err)
		}
	}
}
