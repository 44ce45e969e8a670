package operation

// ContentKind says what a [Content] is.
type ContentKind string

// The kinds of content.
const (
	TextContent     ContentKind = "text"
	ImageContent    ContentKind = "image"
	AudioContent    ContentKind = "audio"
	EmbeddedContent ContentKind = "resource" // a document with an address of its own
)

// Content is one part of a result or of a prompt.
type Content struct {
	Kind ContentKind
	Text string // of texts, and of embedded documents that are text
	MIME string // of all others
	Data []byte // of pictures and sounds, and of embedded documents that are not text
	URI  string // of embedded documents
}

// Text is a text.
func Text(s string) Content { return Content{Kind: TextContent, Text: s} }

// Picture is a picture.
func Picture(mime string, data []byte) Content {
	return Content{Kind: ImageContent, MIME: mime, Data: data}
}

// Attacher is a result with contents beside its text.
type Attacher interface{ Attachments() []Content }
