package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// conformanceBeyond holds what the public conformance suite asks for and the operation table has no words for. Names and
// contents are the suite's.
func conformanceBeyond() *beyond {
	return &beyond{
		stateful: true, // requests to the client need a session
		complete: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}, nil
		},
		extend: func(s *sdk.Server) {
			addContentTools(s)
			addAskingTools(s)
			addConformanceResources(s)
			addConformancePrompts(s)
		},
	}
}

var (
	dot  = pixel{}.Images()[0].Data
	beep = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
)

func embedded(uri, text string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
}

type nothing struct{}

// suiteTool registers a tool that answers contents.
func suiteTool[In any](s *sdk.Server, name string, give func(context.Context, *sdk.CallToolRequest, In) ([]sdk.Content, error)) {
	sdk.AddTool(s, &sdk.Tool{Name: name, Description: "A tool of the conformance suite."},
		func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
			content, err := give(ctx, req, in)
			if err != nil {
				return nil, nil, err
			}
			return &sdk.CallToolResult{Content: content}, nil, nil
		})
}

func texts(format string, args ...any) []sdk.Content {
	return []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf(format, args...)}}
}

func addContentTools(s *sdk.Server) {
	suiteTool(s, "test_audio_content", func(context.Context, *sdk.CallToolRequest, nothing) ([]sdk.Content, error) {
		return []sdk.Content{&sdk.AudioContent{Data: beep, MIMEType: "audio/wav"}}, nil
	})
	suiteTool(s, "test_embedded_resource", func(context.Context, *sdk.CallToolRequest, nothing) ([]sdk.Content, error) {
		return []sdk.Content{embedded("test://embedded-resource", "This is an embedded resource content.")}, nil
	})
	suiteTool(s, "test_multiple_content_types", func(context.Context, *sdk.CallToolRequest, nothing) ([]sdk.Content, error) {
		return []sdk.Content{
			&sdk.TextContent{Text: "Multiple content types test:"}, &sdk.ImageContent{Data: dot, MIMEType: "image/png"},
			embedded("test://mixed-content-resource", "mixed"),
		}, nil
	})
	suiteTool(s, "test_tool_with_logging", func(ctx context.Context, req *sdk.CallToolRequest, _ nothing) ([]sdk.Content, error) {
		for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: message}); err != nil {
				return nil, err
			}
		}
		return texts("logged"), nil
	})
}

// addAskingTools adds the tools that ask the client in the middle of a call.
func addAskingTools(s *sdk.Server) {
	type prompt struct {
		Prompt string `json:"prompt"`
	}
	suiteTool(s, "test_sampling", func(ctx context.Context, req *sdk.CallToolRequest, in prompt) ([]sdk.Content, error) {
		r, err := req.Session.CreateMessage(ctx, &sdk.CreateMessageParams{
			MaxTokens: 100, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: in.Prompt}}},
		})
		if err != nil {
			return nil, err
		}
		answer, _ := r.Content.(*sdk.TextContent)
		if answer == nil {
			return nil, fmt.Errorf("the client answered %T", r.Content)
		}
		return texts("LLM response: %s", answer.Text), nil
	})
	type message struct {
		Message string `json:"message"`
	}
	suiteTool(s, "test_elicitation", func(ctx context.Context, req *sdk.CallToolRequest, in message) ([]sdk.Content, error) {
		return ask(ctx, req, in.Message, map[string]any{
			"username": property("string", "description", "User's response"), "email": property("string", "description", "User's email address"),
		}, "username", "email")
	})
	suiteTool(s, "test_elicitation_sep1034_defaults", func(ctx context.Context, req *sdk.CallToolRequest, _ nothing) ([]sdk.Content, error) {
		return ask(ctx, req, "Please review the defaults", map[string]any{
			"name": property("string", "default", "John Doe"), "age": property("integer", "default", 30), "score": property("number", "default", 95.5),
			"status": property("string", "enum", []string{"active", "inactive", "pending"}, "default", "active"), "verified": property("boolean", "default", true),
		})
	})
	titled := func(prefix string) []map[string]any {
		var list []map[string]any
		for i, title := range []string{"First Option", "Second Option", "Third Option"} {
			list = append(list, map[string]any{"const": fmt.Sprintf("%s%d", prefix, i+1), "title": title})
		}
		return list
	}
	suiteTool(s, "test_elicitation_sep1330_enums", func(ctx context.Context, req *sdk.CallToolRequest, _ nothing) ([]sdk.Content, error) {
		options := []string{"option1", "option2", "option3"}
		return ask(ctx, req, "Please choose", map[string]any{
			"untitledSingle": property("string", "enum", options), "titledSingle": property("string", "oneOf", titled("value")),
			"legacyEnum":    property("string", "enum", []string{"opt1", "opt2", "opt3"}, "enumNames", []string{"Option One", "Option Two", "Option Three"}),
			"untitledMulti": property("array", "items", map[string]any{"type": "string", "enum": options}),
			"titledMulti":   property("array", "items", map[string]any{"anyOf": titled("value")}),
		})
	})
}

// property is a schema of a type with further pairs of words.
func property(kind string, pairs ...any) map[string]any {
	p := map[string]any{"type": kind}
	for i := 0; i+1 < len(pairs); i += 2 {
		p[pairs[i].(string)] = pairs[i+1]
	}
	return p
}

func ask(ctx context.Context, req *sdk.CallToolRequest, message string, properties map[string]any, required ...string) ([]sdk.Content, error) {
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	r, err := req.Session.Elicit(ctx, &sdk.ElicitParams{Message: message, RequestedSchema: schema})
	if err != nil {
		return nil, err
	}
	return texts("Elicitation completed: action=%s, content=%v", r.Action, r.Content), nil
}

func addConformanceResources(s *sdk.Server) {
	read := func(contents func(uri string) *sdk.ResourceContents) sdk.ResourceHandler {
		return func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents(req.Params.URI)}}, nil
		}
	}
	s.AddResource(&sdk.Resource{URI: "test://static-binary", Name: "static-binary", Description: "A picture.", MIMEType: "image/png"},
		read(func(uri string) *sdk.ResourceContents {
			return &sdk.ResourceContents{URI: uri, MIMEType: "image/png", Blob: dot}
		}))
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", Description: "Data by number.", MIMEType: "application/json"},
		read(func(uri string) *sdk.ResourceContents {
			id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
			text := fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)
			return &sdk.ResourceContents{URI: uri, MIMEType: "application/json", Text: text}
		}))
}

func addConformancePrompts(s *sdk.Server) {
	give := func(content func(*sdk.GetPromptRequest) sdk.Content, last string) sdk.PromptHandler {
		return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
				{Role: "user", Content: content(req)}, {Role: "user", Content: &sdk.TextContent{Text: last}},
			}}, nil
		}
	}
	s.AddPrompt(&sdk.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "A prompt with a resource.",
		Arguments: []*sdk.PromptArgument{{Name: "resourceUri", Description: "The resource.", Required: true}},
	}, give(func(req *sdk.GetPromptRequest) sdk.Content {
		return embedded(req.Params.Arguments["resourceUri"], "Embedded resource content for testing.")
	}, "Please process the embedded resource above."))
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_image", Description: "A prompt with a picture."},
		give(func(*sdk.GetPromptRequest) sdk.Content { return &sdk.ImageContent{Data: dot, MIMEType: "image/png"} }, "Please analyze the image above."))
}
