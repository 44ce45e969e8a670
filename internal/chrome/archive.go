package chrome

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// archive is an opened zip file; one that we downloaded is removed when it is closed.
type archive struct {
	file       *os.File
	downloaded bool
}

func (a *archive) close() {
	a.file.Close()
	if a.downloaded {
		os.Remove(a.file.Name()) //nolint:errcheck // the next install removes it
	}
}

func (a *archive) hash(ctx context.Context) (sum []byte, size int64, err error) {
	if _, err = a.file.Seek(0, io.SeekStart); err != nil {
		return nil, 0, storage("read the archive", err)
	}
	hash := sha256.New()
	size, err = io.Copy(hash, io.LimitReader(contextReader{ctx.Err, a.file}, maxArchive+1))
	if err != nil {
		return nil, 0, storage("read the archive", err)
	}
	if size > maxArchive {
		return nil, 0, tooLarge(maxArchive)
	}
	return hash.Sum(nil), size, nil
}

func (s source) open(ctx context.Context, dir string, progress func(done, total int64)) (*archive, error) {
	u, err := url.Parse(s.from)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return openFile(s.from, progress)
	}
	if u.Scheme == "http" && isRemote(u) && s.sha256 == "" {
		return nil, errorf(Invalid, "name an https address, or the archive's checksum with --sha256",
			"cannot trust an archive from %s: the connection is not encrypted", u.Host)
	}
	file, err := os.CreateTemp(dir, downloadPrefix)
	if err != nil {
		return nil, storage("make a file for the download", err)
	}
	a := &archive{file: file, downloaded: true}
	if err := download(ctx, u, file, progress); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func openFile(path string, progress func(done, total int64)) (*archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, storage("open the archive", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		file.Close()
		return nil, storage("open the archive", err)
	}
	if progress != nil {
		progress(info.Size(), info.Size())
	}
	return &archive{file: file}, nil
}

// stallBound is how long a download may bring nothing.
const stallBound = 60 * time.Second

// download writes what the address answers to the file, up to the limit of an archive. A body that ends before its
// announced length is an error: it is net/http that checks.
func download(ctx context.Context, from *url.URL, to io.Writer, progress func(done, total int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallBound, func() { cancel(fmt.Errorf("nothing came for %v", stallBound)) })
	defer stalled.Stop()
	failed := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return &Error{Kind: Archive, Message: "cannot download " + from.Redacted(), Err: err,
			Hint: "check the address and the connection, or download it by other means and name the file with --from"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return failed(err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	reply, err := (&http.Client{Transport: transport, CheckRedirect: keepEncryption}).Do(request)
	if err != nil {
		return failed(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return failed(errors.New(reply.Status))
	}
	if reply.ContentLength > maxArchive {
		return tooLarge(maxArchive)
	}
	body := &progressReader{r: io.LimitReader(reply.Body, maxArchive+1), total: reply.ContentLength}
	body.tell = func(done, total int64) {
		stalled.Reset(stallBound)
		if progress != nil {
			progress(done, total)
		}
	}
	n, err := io.Copy(to, body)
	if err != nil {
		return failed(err)
	}
	if n > maxArchive {
		return tooLarge(maxArchive)
	}
	return nil
}

const maxRedirects = 10

func keepEncryption(request *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return errors.New("too many redirects")
	}
	if via[0].URL.Scheme == "https" && !strings.EqualFold(request.URL.Scheme, "https") {
		return errors.New("a redirect leads to an address without encryption")
	}
	return nil
}

// progressReader tells how much has been read.
type progressReader struct {
	r           io.Reader
	done, total int64
	tell        func(done, total int64)
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 {
		p.done += int64(n)
		p.tell(p.done, p.total)
	}
	return n, err
}
