package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/glasskit/glass/internal/operation"
)

// conformanceTable has what the public conformance suite asks for. Names and contents are the suite's.
func conformanceTable(t *testing.T) *operation.Table {
	t.Helper()
	table, err := operation.NewTable(operation.TableConfig{
		Operations: append(contentTools(), askingTools()...),
		Documents:  conformanceDocuments(),
		Templates: []operation.Template{{
			URI: "test://template/{id}/data", Name: "template", Description: "Data by number.", MIME: "application/json",
			Read: func(_ context.Context, _ *operation.Call, blanks map[string]string) ([]byte, error) {
				return fmt.Appendf(nil, `{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, blanks["id"], blanks["id"]), nil
			},
		}},
		Prompts: conformancePrompts(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

type none struct{}

// contents is a result that is nothing but contents: the first, when it is a text, is the text of the result.
type contents []operation.Content

func (c contents) PlainText() (string, bool) {
	if len(c) > 0 && c[0].Kind == operation.TextContent {
		return c[0].Text, true
	}
	return "no text", true
}

func (c contents) Attachments() []operation.Content {
	if len(c) > 0 && c[0].Kind == operation.TextContent {
		return c[1:]
	}
	return c
}

func said(format string, args ...any) contents {
	return contents{operation.Text(fmt.Sprintf(format, args...))}
}

// suiteTool is an operation with a name of the suite.
func suiteTool[In any](name string, run func(context.Context, *operation.Call, In) (contents, error)) *operation.Operation {
	return operation.Define(operation.Spec{Name: name, Toolset: operation.Browser, Summary: "A tool of the conformance suite."}, run)
}

var (
	dot = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01" +
		"\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef" +
		"\x00\x00\x00\x00IEND\xaeB`\x82")
	beep = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
)

func embedded(uri, text string) operation.Content {
	return operation.Content{Kind: operation.EmbeddedContent, URI: uri, MIME: "text/plain", Text: text}
}

func contentTools() []*operation.Operation {
	fixed := func(name string, c ...operation.Content) *operation.Operation {
		return suiteTool(name, func(context.Context, *operation.Call, none) (contents, error) { return c, nil })
	}
	return []*operation.Operation{
		fixed("test_simple_text", operation.Text("This is a simple text response for testing.")),
		fixed("test_image_content", operation.Picture("image/png", dot)),
		fixed("test_audio_content", operation.Content{Kind: operation.AudioContent, MIME: "audio/wav", Data: beep}),
		fixed("test_embedded_resource", embedded("test://embedded-resource", "This is an embedded resource content.")),
		fixed("test_multiple_content_types", operation.Text("Multiple content types test:"), operation.Picture("image/png", dot),
			embedded("test://mixed-content-resource", "mixed")),
		suiteTool("test_error_handling", func(context.Context, *operation.Call, none) (contents, error) {
			return nil, errors.New("this tool intentionally returns an error for testing")
		}),
		suiteTool("test_tool_with_logging", func(_ context.Context, call *operation.Call, _ none) (contents, error) {
			for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				call.Tell(message)
			}
			return said("logged"), nil
		}),
		suiteTool("test_tool_with_progress", func(ctx context.Context, call *operation.Call, _ none) (contents, error) {
			tick := time.NewTicker(2 * progressEvery)
			defer tick.Stop()
			for _, done := range []float64{0, 50, 100} {
				call.Report(done, 100, "Completed step")
				select {
				case <-tick.C:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			return said("done"), nil
		}),
	}
}

// askingTools are the tools that ask the client in the middle of a call.
func askingTools() []*operation.Operation {
	type prompt struct {
		Prompt string `json:"prompt" doc:"what to ask the model" glass:"required"`
	}
	type message struct {
		Message string `json:"message" doc:"what to ask the person" glass:"required"`
	}
	fixed := func(name, message, properties string) *operation.Operation {
		return suiteTool(name, func(_ context.Context, call *operation.Call, _ none) (contents, error) {
			return elicit(call, message, `{"type":"object","properties":`+properties+`}`)
		})
	}
	return []*operation.Operation{
		suiteTool("test_sampling", func(_ context.Context, call *operation.Call, in prompt) (contents, error) {
			a, err := call.Ask(operation.Question{ID: "model", Message: in.Prompt, ModelTokens: 100})
			if err != nil {
				return nil, err
			}
			return said("LLM response: %s", a.Text), nil
		}),
		suiteTool("test_elicitation", func(_ context.Context, call *operation.Call, in message) (contents, error) {
			return elicit(call, in.Message, `{"type":"object","required":["username","email"],"properties":{
				"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}}}`)
		}),
		fixed("test_elicitation_sep1034_defaults", "Please review the defaults", `{
			"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}`),
		fixed("test_elicitation_sep1330_enums", "Please choose", `{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
			"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}`),
	}
}

func elicit(call *operation.Call, message, form string) (contents, error) {
	a, err := call.Ask(operation.Question{ID: "person", Message: message, Form: json.RawMessage(form)})
	if err != nil {
		return nil, err
	}
	values, err := json.Marshal(a.Values)
	if err != nil {
		return nil, err
	}
	return said("User response: action=%s, content=%s", a.Action, values), nil
}

func conformanceDocuments() []operation.Document {
	fixed := func(data []byte) func(context.Context, *operation.Call) ([]byte, error) {
		return func(context.Context, *operation.Call) ([]byte, error) { return data, nil }
	}
	return []operation.Document{
		{
			URI: "test://static-text", Name: "static-text", Description: "A static text resource.", MIME: "text/plain",
			Read: fixed([]byte("This is the content of the static text resource.")),
		},
		{URI: "test://static-binary", Name: "static-binary", Description: "A picture.", MIME: "image/png", Read: fixed(dot)},
		{
			URI: "test://watched-resource", Name: "watched-resource", Description: "Changes now and then.", MIME: "text/plain",
			Read:  func(context.Context, *operation.Call) ([]byte, error) { return []byte(time.Now().String()), nil },
			Watch: everySecond,
		},
	}
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

func conformancePrompts() []operation.Prompt {
	values := func(_ context.Context, prefix string) []string { return []string{prefix + "1", prefix + "2"} }
	return []operation.Prompt{
		{Name: "test_simple_prompt", Description: "A prompt without arguments.", Render: func(map[string]string) []operation.Content {
			return said("This is a simple prompt for testing.")
		}},
		{
			Name: "test_prompt_with_arguments", Description: "A prompt with arguments.",
			Arguments: []operation.PromptArgument{
				{Name: "arg1", Doc: "first", Required: true, Values: values}, {Name: "arg2", Doc: "second", Required: true},
			},
			Render: func(a map[string]string) []operation.Content {
				return said("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])
			},
		},
		{
			Name: "test_prompt_with_embedded_resource", Description: "A prompt with a resource.",
			Arguments: []operation.PromptArgument{{Name: "resourceUri", Doc: "the resource", Required: true}},
			Render: func(a map[string]string) []operation.Content {
				return contents{
					embedded(a["resourceUri"], "Embedded resource content for testing."),
					operation.Text("Please process the embedded resource above."),
				}
			},
		},
		{Name: "test_prompt_with_image", Description: "A prompt with a picture.", Render: func(map[string]string) []operation.Content {
			return contents{operation.Picture("image/png", dot), operation.Text("Please analyze the image above.")}
		}},
	}
}
