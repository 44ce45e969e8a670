package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/internal/operation"
)

// contentOf writes a content of the table as MCP has it.
func contentOf(c operation.Content) sdk.Content {
	switch c.Kind {
	case operation.ImageContent:
		return &sdk.ImageContent{MIMEType: c.MIME, Data: c.Data}
	case operation.AudioContent:
		return &sdk.AudioContent{MIMEType: c.MIME, Data: c.Data}
	case operation.EmbeddedContent:
		return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: c.URI, MIMEType: c.MIME, Text: c.Text, Blob: c.Data}}
	}
	return &sdk.TextContent{Text: c.Text}
}

// attachmentOf is the reverse, for the client of the private socket.
func attachmentOf(item sdk.Content) (operation.Content, bool) {
	switch item := item.(type) {
	case *sdk.TextContent:
		return operation.Text(item.Text), true
	case *sdk.ImageContent:
		return operation.Picture(item.MIMEType, item.Data), true
	case *sdk.AudioContent:
		return operation.Content{Kind: operation.AudioContent, MIME: item.MIMEType, Data: item.Data}, true
	case *sdk.EmbeddedResource:
		r := item.Resource
		return operation.Content{Kind: operation.EmbeddedContent, URI: r.URI, MIME: r.MIMEType, Text: r.Text, Data: r.Blob}, true
	}
	return operation.Content{}, false
}

// resourceOf writes what a document holds.
func resourceOf(uri, mime string, data []byte) *sdk.ReadResourceResult {
	c := &sdk.ResourceContents{URI: uri, MIMEType: mime}
	if operation.IsText(mime) {
		c.Text = string(data)
	} else {
		c.Blob = data
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}
}
