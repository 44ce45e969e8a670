package operation

import (
	"context"

	"github.com/glasskit/glass/contract"
)

// Document is something to read that is no operation: a page of the contract, or the live state of a session.
type Document struct {
	URI         string
	Name        string
	Description string
	MIME        string // text/markdown or application/json
	Read        func(ctx context.Context, call *Call) ([]byte, error)
	// Watch calls changed each time the document may read differently, until ctx ends. It is nil for documents that
	// never change.
	Watch func(ctx context.Context, call *Call, changed func()) error
}

// Prompt is a text with blanks that a client offers to its user.
type Prompt struct {
	Name        string
	Description string
	Arguments   []PromptArgument
	Render      func(arguments map[string]string) string
}

// PromptArgument is one blank of a prompt.
type PromptArgument struct {
	Name     string
	Doc      string
	Required bool
}

// Documents lists the documents.
func (t *Table) Documents() []Document { return t.config.Documents }

// Prompts lists the prompts.
func (t *Table) Prompts() []Prompt { return t.config.Prompts }

// ReadDocument reads the document with the address uri.
func (t *Table) ReadDocument(ctx context.Context, call *Call, uri string) ([]byte, error) {
	d, err := t.document(uri)
	if err != nil {
		return nil, err
	}
	data, err := guarded(func() ([]byte, error) { return d.Read(ctx, withDefaults(call)) })
	if err != nil {
		return nil, t.failure("read "+d.URI, err)
	}
	return data, nil
}

// WatchDocument watches the document with the address uri. A document that never changes is watched until ctx ends.
func (t *Table) WatchDocument(ctx context.Context, call *Call, uri string, changed func()) error {
	d, err := t.document(uri)
	if err != nil {
		return err
	}
	if d.Watch == nil {
		<-ctx.Done()
		return nil
	}
	_, err = guarded(func() (struct{}, error) { return struct{}{}, d.Watch(ctx, withDefaults(call), changed) })
	return err
}

func (t *Table) document(uri string) (*Document, error) {
	for i := range t.config.Documents {
		if d := &t.config.Documents[i]; d.URI == uri {
			return d, nil
		}
	}
	return nil, contract.Invalid("uri", "no such document")
}
