package mcp

import (
	"encoding/base64"
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

const (
	// bytesPerToken is the usual rule of thumb for English text and JSON.
	bytesPerToken = 4
	// tokensPerImage is about what models count for a screenshot of 1280×720.
	tokensPerImage = 1500
)

// contextCost tells an agent what a result costs it.
type contextCost struct {
	PayloadBytes    int `json:"payloadBytes"`
	EstimatedTokens int `json:"estimatedTokens"`
}

// costOf counts text as it is, and bytes as base64, in which they travel.
func costOf(text string, more []operation.Content) contextCost {
	c := contextCost{PayloadBytes: len(text), EstimatedTokens: tokensOf(len(text))}
	for _, one := range more {
		size := len(one.Text) + base64.StdEncoding.EncodedLen(len(one.Data))
		c.PayloadBytes += size
		if one.Kind == operation.ImageContent {
			c.EstimatedTokens += tokensPerImage
		} else {
			c.EstimatedTokens += tokensOf(size)
		}
	}
	return c
}

func tokensOf(size int) int { return (size + bytesPerToken - 1) / bytesPerToken }

// toolResult is the answer to a call that succeeded.
func toolResult(op *operation.Operation, res *operation.Result, private bool) *sdk.CallToolResult {
	text := string(res.Bytes())
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	for _, c := range res.Attachments {
		out.Content = append(out.Content, contentOf(c))
	}
	if op != nil && op.Structured {
		out.StructuredContent = json.RawMessage(res.JSON)
		return out
	}
	out.Meta = sdk.Meta{metaCost: costOf(text, res.Attachments)}
	if private && res.Text != "" {
		out.Meta[metaText] = true
	}
	return out
}

// toolFailure is the answer to a call that did not.
func toolFailure(err error) *sdk.CallToolResult {
	data, merr := jsonv2.Marshal(failureOf(err), jsontext.EscapeForHTML(false), jsontext.AllowInvalidUTF8(true))
	if merr != nil {
		panic(fmt.Errorf("cannot encode a failure: %w", merr)) // it has strings, numbers and booleans only
	}
	text := string(data)
	return &sdk.CallToolResult{
		IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}},
		Meta: sdk.Meta{metaCost: costOf(text, nil)},
	}
}

// failureOf is err as a failure. Executors give nothing else; what slips through must not reach a client raw.
func failureOf(err error) *contract.Failure {
	if f, ok := errors.AsType[*contract.Failure](err); ok {
		return f
	}
	return contract.Fail(contract.Transport, contract.PhaseTransport, "internal error").Wrap(err)
}
