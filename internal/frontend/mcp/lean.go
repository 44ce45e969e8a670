package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// leanTools is a list of tools whose entries are written by [Catalogue], since the SDK always writes the hints.
type leanTools struct {
	*sdk.ListToolsResult
	tools json.RawMessage
}

// MarshalJSON puts the catalogue into the SDK's result.
func (l *leanTools) MarshalJSON() ([]byte, error) {
	return withMember(l.ListToolsResult, "tools", l.tools)
}

// leanResult is the result of a call whose text is written as it is: the SDK would write every < as six bytes.
type leanResult struct {
	*sdk.CallToolResult
	kind string // resultType of protocol 2026-07-28 when the call is not complete; the SDK keeps the field to itself
}

// MarshalJSON writes the content itself and leaves the rest to the SDK.
func (l *leanResult) MarshalJSON() ([]byte, error) {
	type item struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	content := []any{}
	for _, c := range l.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			content = append(content, item{"text", text.Text})
			continue
		}
		content = append(content, c)
	}
	data, err := encode(content)
	if err != nil {
		return nil, err
	}
	rest := *l.CallToolResult
	rest.Content = []sdk.Content{}
	if l.kind != "" {
		kind, err := encode(l.kind)
		if err != nil {
			return nil, err
		}
		return withMember(&rest, "resultType", kind)
	}
	return withMember(&rest, "content", data)
}

// withMember encodes v with one of its members replaced.
func withMember(v any, name string, value json.RawMessage) ([]byte, error) {
	data, err := encode(v)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	members[name] = value
	return encode(members)
}

// encode is json.Marshal without the escapes for HTML.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(buf.Bytes()), nil
}
