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

// costOf counts the text as it is and images as base64, in which they travel.
func costOf(text string, images []operation.Image) contextCost {
	c := contextCost{PayloadBytes: len(text), EstimatedTokens: (len(text) + bytesPerToken - 1) / bytesPerToken}
	for _, im := range images {
		c.PayloadBytes += base64.StdEncoding.EncodedLen(len(im.Data))
		c.EstimatedTokens += tokensPerImage
	}
	return c
}

// toolResult is the answer to a call that succeeded.
func toolResult(op *operation.Operation, res *operation.Result, private bool) *sdk.CallToolResult {
	text := string(res.Bytes())
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	for _, im := range res.Images {
		out.Content = append(out.Content, &sdk.ImageContent{MIMEType: im.MIME, Data: im.Data})
	}
	if op != nil && op.Structured {
		out.StructuredContent = json.RawMessage(res.JSON)
		return out
	}
	out.Meta = sdk.Meta{metaCost: costOf(text, res.Images)}
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
