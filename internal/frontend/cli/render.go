package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/glasskit/glass/internal/textsafe"
)

const (
	// cellWidth bounds a table's cell, so that one long text does not push the others off the screen.
	cellWidth = 60
	dim       = "\x1b[2m"
	plainText = "\x1b[0m"
)

// colours reports whether w may get colours: a terminal of somebody who did not ask for none.
func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// member is one name and value of an object, in the order in which they were written.
type member struct {
	name  string
	value json.RawMessage
}

// render writes JSON for a person: an object as lines of name and value, a list of objects as a table.
func render(w io.Writer, data []byte, colour bool) error {
	var b strings.Builder
	r := renderer{out: &b, colour: colour}
	r.value(data, "")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return nil
}

type renderer struct {
	out    *strings.Builder
	colour bool
}

func (r *renderer) label(s string) string {
	if r.colour {
		return dim + textsafe.Line(s) + plainText
	}
	return textsafe.Line(s)
}

func (r *renderer) value(data json.RawMessage, indent string) {
	switch first(data) {
	case '{':
		for _, m := range members(data) {
			r.member(m, indent)
		}
	case '[':
		r.list(data, indent)
	default:
		fmt.Fprintf(r.out, "%s%s\n", indent, scalar(data))
	}
}

func (r *renderer) member(m member, indent string) {
	if f := first(m.value); (f == '{' || f == '[') && !simple(m.value) {
		if empty(m.value) {
			fmt.Fprintf(r.out, "%s%s: none\n", indent, r.label(m.name))
			return
		}
		fmt.Fprintf(r.out, "%s%s:\n", indent, r.label(m.name))
		r.value(m.value, indent+"  ")
		return
	}
	text := scalar(m.value)
	if lines := strings.Split(text, "\n"); len(lines) > 1 {
		fmt.Fprintf(r.out, "%s%s:\n%s  %s\n", indent, r.label(m.name), indent, strings.Join(lines, "\n"+indent+"  "))
		return
	}
	fmt.Fprintf(r.out, "%s%s: %s\n", indent, r.label(m.name), text)
}

// list writes a table when every entry is an object, else one entry a line.
func (r *renderer) list(data json.RawMessage, indent string) {
	var items []json.RawMessage
	if json.Unmarshal(data, &items) != nil {
		return
	}
	var head []string
	var rows [][]string
	for _, item := range items {
		if first(item) != '{' {
			for _, item := range items {
				r.value(item, indent)
			}
			return
		}
		row := make([]string, len(head))
		for _, m := range members(item) {
			i := index(head, m.name)
			if i < 0 {
				i, head, row = len(head), append(head, m.name), append(row, "")
			}
			row[i] = cell(m.value)
		}
		rows = append(rows, row)
	}
	r.table(head, rows, indent)
}

func (r *renderer) table(head []string, rows [][]string, indent string) {
	width := make([]int, len(head))
	for i, h := range head {
		width[i] = utf8.RuneCountInString(h)
		for _, row := range rows {
			if i < len(row) {
				width[i] = max(width[i], utf8.RuneCountInString(row[i]))
			}
		}
	}
	line := func(cells []string, show func(string) string) {
		var b strings.Builder
		for i := range head {
			text := ""
			if i < len(cells) {
				text = cells[i]
			}
			b.WriteString(show(text) + strings.Repeat(" ", width[i]-utf8.RuneCountInString(text)+2))
		}
		r.out.WriteString(indent + strings.TrimRight(b.String(), " ") + "\n")
	}
	line(head, r.label)
	for _, row := range rows {
		line(row, func(s string) string { return s })
	}
}

func index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// cell is a value on one line of bounded width.
func cell(data json.RawMessage) string {
	text := strings.Join(strings.Fields(scalar(data)), " ")
	if runes := []rune(text); len(runes) > cellWidth {
		return string(runes[:cellWidth-1]) + "…"
	}
	return text
}

// scalar is a string without its quotes, a list of scalars with commas, anything else as written.
func scalar(data json.RawMessage) string {
	switch first(data) {
	case '"':
		var s string
		if json.Unmarshal(data, &s) == nil {
			return textsafe.Block(s)
		}
	case '[':
		var items []json.RawMessage
		if simple(data) && json.Unmarshal(data, &items) == nil {
			texts := make([]string, len(items))
			for i, item := range items {
				texts[i] = scalar(item)
			}
			return strings.Join(texts, ", ")
		}
	}
	return textsafe.Line(string(data))
}

// simple reports a list of scalars.
func simple(data json.RawMessage) bool {
	var items []json.RawMessage
	if first(data) != '[' || json.Unmarshal(data, &items) != nil || len(items) == 0 {
		return false
	}
	for _, item := range items {
		if f := first(item); f == '{' || f == '[' {
			return false
		}
	}
	return true
}

func empty(data json.RawMessage) bool {
	s := strings.Join(strings.Fields(string(data)), "")
	return s == "{}" || s == "[]"
}

func first(data json.RawMessage) byte {
	if data = bytes.TrimSpace(data); len(data) > 0 {
		return data[0]
	}
	return 0
}

// members reads an object in order.
func members(data json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var all []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return all
		}
		var m member
		m.name, _ = name.(string)
		if dec.Decode(&m.value) != nil {
			return all
		}
		all = append(all, m)
	}
	return all
}
