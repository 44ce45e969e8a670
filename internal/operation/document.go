package operation

import (
	"context"
	"regexp"
	"strings"

	"github.com/glasskit/glass/contract"
)

// Document is something to read that is no operation: a page of the contract, or the live state of a session.
type Document struct {
	URI         string
	Name        string
	Description string
	MIME        string // text/…, application/json, or that of bytes that are no text
	Read        func(ctx context.Context, call *Call) ([]byte, error)
	// Watch calls changed each time the document may read differently, until ctx ends. It is nil for documents that
	// never change.
	Watch func(ctx context.Context, call *Call, changed func()) error
}

// Template is a family of documents whose addresses differ in their blanks.
type Template struct {
	URI         string // with blanks as in "glass://page/{id}"; a blank holds no slash
	Name        string
	Description string
	MIME        string
	Read        func(ctx context.Context, call *Call, blanks map[string]string) ([]byte, error)
}

// IsText reports whether documents of a MIME type are text.
func IsText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/json"
}

// Prompt is a text with blanks that a client offers to its user.
type Prompt struct {
	Name        string
	Description string
	Arguments   []PromptArgument
	// Render gives the contents, each a message of the user.
	Render func(arguments map[string]string) []Content
}

// PromptArgument is one blank of a prompt.
type PromptArgument struct {
	Name     string
	Doc      string
	Required bool
	// Values lists what may stand in the blank and starts with prefix. It is nil where that is not known.
	Values func(ctx context.Context, prefix string) []string
}

// Documents lists the documents.
func (t *Table) Documents() []Document { return t.config.Documents }

// Templates lists the families of documents.
func (t *Table) Templates() []Template { return t.config.Templates }

// Prompts lists the prompts.
func (t *Table) Prompts() []Prompt { return t.config.Prompts }

// ReadDocument reads the document with the address uri, also one of a family.
func (t *Table) ReadDocument(ctx context.Context, call *Call, uri string) ([]byte, error) {
	read, err := t.reader(uri)
	if err != nil {
		return nil, err
	}
	data, err := guarded(func() ([]byte, error) { return read(ctx, withDefaults(call)) })
	if err != nil {
		return nil, t.failure("read "+uri, err)
	}
	return data, nil
}

func (t *Table) reader(uri string) (func(context.Context, *Call) ([]byte, error), error) {
	for _, family := range t.config.Templates {
		if blanks, ok := family.match(uri); ok {
			return func(ctx context.Context, call *Call) ([]byte, error) { return family.Read(ctx, call, blanks) }, nil
		}
	}
	d, err := t.document(uri)
	if err != nil {
		return nil, err
	}
	return d.Read, nil
}

var blank = regexp.MustCompile(`\\\{([A-Za-z]+)\\\}`)

// match finds the blanks of an address of the family.
func (f *Template) match(uri string) (map[string]string, bool) {
	pattern := "^" + blank.ReplaceAllString(regexp.QuoteMeta(f.URI), `(?P<$1>[^/]+)`) + "$"
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, false
	}
	found := re.FindStringSubmatch(uri)
	if found == nil {
		return nil, false
	}
	blanks := map[string]string{}
	for i, name := range re.SubexpNames()[1:] {
		blanks[name] = found[i+1]
	}
	return blanks, true
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
