package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Bounds of looking up an endpoint.
const (
	endpointBound   = 10 * time.Second
	versionReply    = 64 << 10 // bytes of /json/version
	portFileSize    = 4 << 10  // bytes of DevToolsActivePort
	maxEndpointText = 2 << 10  // bytes of an address
)

// ResolveEndpoint turns what a person may say about a running browser into the WebSocket address to connect to: nothing
// (the port file of a running Chrome), a port on 127.0.0.1, an http address, or a WebSocket address. remote says that
// the host is not this machine. No port is ever guessed (reliability.md §1.1).
func ResolveEndpoint(ctx context.Context, spec string) (address string, remote bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, endpointBound)
	defer cancel()
	if spec == "" {
		address, err = fromPortFiles(ctx, userDataDirs())
		return address, false, err
	}
	if isNumber(spec) {
		number, err := strconv.ParseUint(spec, 10, 16)
		if err != nil || number == 0 {
			return "", false, badEndpoint(spec)
		}
		address, err = askVersion(ctx, &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", number)})
		return address, false, err
	}
	u, err := url.Parse(spec)
	if err != nil || u.Hostname() == "" || len(spec) > maxEndpointText {
		return "", false, badEndpoint(spec)
	}
	switch u.Scheme {
	case "ws", "wss":
		return u.String(), isRemote(u), nil
	case "http", "https":
		address, err = askVersion(ctx, u)
		return address, isRemote(u), err
	}
	return "", false, badEndpoint(spec)
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func badEndpoint(spec string) error {
	return errorf(Invalid, "name a port, http://HOST:PORT or ws://HOST:PORT/PATH", "cannot attach to %q", cutFlag(spec))
}

// isRemote judges by the name or number as it is written: only literal loopback addresses and localhost are local.
func isRemote(u *url.URL) bool {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return false
	}
	address, err := netip.ParseAddr(host)
	return err != nil || !address.Unmap().IsLoopback()
}

// askVersion reads /json/version and returns the browser's WebSocket address, on the host that we asked: behind a
// tunnel Chrome knows another name for itself, and a hostile endpoint must not send us elsewhere.
func askVersion(ctx context.Context, base *url.URL) (string, error) {
	ask := *base
	ask.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/json/version") + "/json/version"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, ask.String(), nil)
	if err != nil {
		return "", badEndpoint(base.Redacted())
	}
	reply, err := endpointClient().Do(request)
	if err != nil {
		return "", noEndpoint(base, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return "", noEndpoint(base, errors.New(reply.Status))
	}
	data, err := io.ReadAll(io.LimitReader(reply.Body, versionReply))
	if err != nil {
		return "", noEndpoint(base, err)
	}
	return endpointFromVersion(data, base)
}

func endpointFromVersion(data []byte, base *url.URL) (string, error) {
	var version struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return "", noEndpoint(base, errors.New("the answer is not that of a DevTools endpoint"))
	}
	u, err := url.Parse(version.URL)
	if err != nil || len(version.URL) > maxEndpointText || u.Scheme != "ws" && u.Scheme != "wss" || u.Path == "" {
		return "", noEndpoint(base, errors.New("it names no WebSocket address"))
	}
	out := url.URL{Scheme: "ws", User: base.User, Host: base.Host, Path: u.Path, RawQuery: u.RawQuery}
	if out.RawQuery == "" {
		out.RawQuery = base.RawQuery
	}
	if base.Scheme == "https" {
		out.Scheme = "wss"
	}
	return out.String(), nil
}

// endpointClient uses no proxy of the environment and follows no redirect.
func endpointClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: versionReply,
			DialContext: (&net.Dialer{}).DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func noEndpoint(base *url.URL, err error) error {
	return &Error{Kind: NotFound, Message: "cannot find a DevTools endpoint at " + base.Redacted(), Err: err,
		Hint: "start Chrome with --remote-debugging-port=PORT and a --user-data-dir of its own"}
}

// fromPortFiles reads the file in which a running Chrome says where it listens. A file whose port does not answer is
// what a dead one left.
func fromPortFiles(ctx context.Context, dirs []string) (string, error) {
	for _, dir := range dirs {
		file, err := os.Open(filepath.Join(dir, "DevToolsActivePort"))
		if err != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(file, portFileSize))
		file.Close()
		if err != nil {
			continue
		}
		port, path, ok := parsePortFile(string(data))
		if !ok || !answers127(ctx, port) {
			continue
		}
		return fmt.Sprintf("ws://127.0.0.1:%d%s", port, path), nil
	}
	return "", errorf(NotFound, "start Chrome with --remote-debugging-port=PORT, or name the port or address",
		"cannot find a running Chrome that accepts DevTools connections")
}

// parsePortFile reads "PORT\n/devtools/browser/ID\n".
func parsePortFile(text string) (port uint16, path string, ok bool) {
	first, rest, _ := strings.Cut(text, "\n")
	path, _, _ = strings.Cut(rest, "\n")
	number, err := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
	path = strings.TrimSpace(path)
	if err != nil || number == 0 || !strings.HasPrefix(path, "/devtools/browser") || strings.ContainsAny(path, " ?#\\%") ||
		strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return 0, "", false
	}
	return uint16(number), path, true
}

func answers127(ctx context.Context, port uint16) bool {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	connection.Close()
	return true
}
