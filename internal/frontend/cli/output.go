package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
	"github.com/glasskit/glass/internal/textsafe"
)

// form is how results are asked for: readable for a person at a terminal, else in full.
func (a *app) form() operation.Form {
	if a.json || !terminal(a.Out) {
		return operation.Full
	}
	return operation.Human
}

// print shows a result. Nothing raw reaches a terminal: this is the last step before it.
func (a *app) print(op *operation.Operation, res *operation.Result) error {
	files, err := a.saveAttachments(op, res.Attachments)
	if err != nil {
		return err
	}
	switch {
	case res.Text != "":
		if _, err := io.WriteString(a.Out, strings.TrimRight(textsafe.Block(res.Text), "\n")+"\n"); err != nil {
			return fmt.Errorf("cannot write the result: %w", err)
		}
	default:
		data := withFiles(res.JSON, files)
		files = nil
		if a.form() == operation.Human {
			return render(a.Out, data, colours(a.Out))
		}
		if _, err := a.Out.Write(append(escapeUnsafe(data), '\n')); err != nil {
			return fmt.Errorf("cannot write the result: %w", err)
		}
	}
	for _, f := range files {
		a.say("saved " + f)
	}
	return nil
}

// saveAttachments writes pictures and other contents to files and names them.
func (a *app) saveAttachments(op *operation.Operation, contents []operation.Content) ([]string, error) {
	var files []string
	for i, c := range contents {
		name, err := writeContent(a.output, op.Command, i, c)
		if err != nil {
			f := contract.Fail(contract.VerificationFailed, contract.PhaseVerification, "cannot save the file: %v", err)
			return nil, f.Suggest(contract.ToolNone).Wrap(err)
		}
		files = append(files, name)
	}
	return files, nil
}

// fileTries bounds the numbers that are tried for a free file name.
const fileTries = 1000

// writeContent writes to the named file, or to a new one in the working directory; it overwrites only what was named.
func writeContent(named, command string, index int, c operation.Content) (string, error) {
	data := c.Data
	if c.Text != "" {
		data = []byte(c.Text)
	}
	if named != "" && index == 0 {
		return named, os.WriteFile(named, data, 0o644)
	}
	_, kind, _ := strings.Cut(c.MIME, "/")
	for n := 1; n <= fileTries; n++ {
		name := command + "-" + strconv.Itoa(n) + "." + kind
		f, err := os.OpenFile(filepath.Base(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return name, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("%d files with such a name exist; name one with --output", fileTries)
}

// withFiles adds the names of saved files to an object.
func withFiles(data []byte, files []string) []byte {
	body, ok := bytes.CutSuffix(bytes.TrimSpace(data), []byte("}"))
	if len(files) == 0 || !ok {
		return data
	}
	if len(body) > 1 {
		body = append(bytes.Clone(body), ',')
	}
	return append(append(append(bytes.Clone(body), `"files":`...), quoted(files)...), '}')
}

// escapeUnsafe writes characters that a terminal obeys or nobody sees as \u escapes, which mean the same in JSON: such
// characters occur only inside its strings.
func escapeUnsafe(data []byte) []byte {
	if !bytes.ContainsFunc(data, unsafeRune) {
		return data
	}
	var b bytes.Buffer
	for _, r := range string(data) {
		switch {
		case !unsafeRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) && r != '\n' || textsafe.Invisible(r) || r == 0x2028 || r == 0x2029
}

// printFailure writes a failure as one JSON line, or for a person as a sentence with what to do next.
func printFailure(w io.Writer, f *contract.Failure, person bool) {
	if !person {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(f); err == nil {
			_, _ = w.Write(append(escapeUnsafe(bytes.TrimSpace(buf.Bytes())), '\n')) // stderr is all there is
		}
		return
	}
	text := textsafe.Line(f.Message)
	if f.Hint != "" {
		text += "\n  " + textsafe.Line(f.Hint)
	} else if f.SuggestedTool != "" && f.SuggestedTool != contract.ToolNone {
		text += "\n  next: glass " + operation.Kebab(f.SuggestedTool)
	}
	fmt.Fprintf(w, "glass: %s\n", text)
	for _, c := range f.Candidates {
		fmt.Fprintf(w, "  %s  %s\n", textsafe.Line(c.Reference), textsafe.Line(strings.Join(
			[]string{c.Role, strconv.Quote(c.Name), c.Nearby}, " ")))
	}
	if f.ApprovalID != "" {
		fmt.Fprintf(w, "  to allow it once: glass approve %s\n", textsafe.Line(f.ApprovalID))
	}
}
