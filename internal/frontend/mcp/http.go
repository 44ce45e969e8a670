package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
)

const (
	// TokenBytes is the randomness of a token that Glass makes up.
	TokenBytes = 32
	// tokenLeast is the length of the shortest token that is accepted from a user.
	tokenLeast = 16

	headerBytes  = 64 << 10
	headerTime   = 10 * time.Second
	bodyTime     = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
	connections  = 128
)

// HTTPOptions say who may talk to the HTTP server.
type HTTPOptions struct {
	// Tokens are the bearer tokens; each opens sessions of its own. At least one is needed.
	Tokens []string
	// AllowRemote permits listening on an address that is not loopback.
	AllowRemote bool
	// Hosts are further host names (with port when it is not the default one) by which the server is reached.
	Hosts []string
	// Origins are web origins, such as http://localhost:6274, whose pages may call beside the server's own.
	Origins []string
}

// NewToken makes a random bearer token.
func NewToken() string {
	b := make([]byte, TokenBytes)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// ServeHTTP listens on address and serves until ctx ends. It calls ready with the address once it listens.
func (s *Server) ServeHTTP(ctx context.Context, address string, o *HTTPOptions, ready func(net.Addr)) error {
	if err := checkAddress(address, o); err != nil {
		return err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	serveCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	handler, drain, err := s.handler(serveCtx, l.Addr(), o)
	if err != nil {
		l.Close()
		return err
	}
	srv := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
	}
	if ready != nil {
		ready(l.Addr())
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(limitListener(l, connections)) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		endCtx, end := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer end()
		cancel()
		if srv.Shutdown(endCtx) != nil {
			srv.Close()
		}
		err = <-served
	}
	cancel()
	drain()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// checkAddress refuses addresses that others can reach unless that was asked for, and servers without a token.
func checkAddress(address string, o *HTTPOptions) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("cannot read the address %q: want HOST:PORT", address)
	}
	if o == nil || len(o.Tokens) == 0 {
		return errors.New("cannot serve HTTP without a token")
	}
	for _, t := range o.Tokens {
		if len(t) < tokenLeast {
			return fmt.Errorf("cannot take a token shorter than %d characters", tokenLeast)
		}
	}
	if !loopbackName(host) && !o.AllowRemote {
		return fmt.Errorf("cannot listen on %s: others could reach it; use 127.0.0.1, or --http-allow-remote with a "+
			"token of yours", address)
	}
	return nil
}

func loopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}

// handler is the whole chain: Host, Origin, token, content type, message, SDK. Everything ends with ctx; drain waits.
func (s *Server) handler(ctx context.Context, addr net.Addr, o *HTTPOptions) (h http.Handler, drain func(), err error) {
	g := &gate{hosts: allowedHosts(addr, o.Hosts), origins: o.Origins, cross: http.NewCrossOriginProtection()}
	var all []*connection
	for _, origin := range o.Origins {
		if err := g.cross.AddTrustedOrigin(origin); err != nil {
			return nil, nil, fmt.Errorf("cannot allow the origin %q: %w", origin, err)
		}
	}
	for _, token := range o.Tokens {
		sum := sha256.Sum256([]byte(token))
		owner := hex.EncodeToString(sum[:8])
		c := s.newConnection(ctx, "http-"+owner, owner)
		all = append(all, c)
		g.keys = append(g.keys, key{sum: sum, handler: streamable(c)})
	}
	return g, func() {
		for _, c := range all {
			c.drain(drainTime)
		}
	}, nil
}

// streamable is the SDK's handler of one token. It keeps no sessions, but in a test (DESIGN.md §5).
func streamable(c *connection) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return c.server }, &sdk.StreamableHTTPOptions{
		Stateless: !c.opts.keepSessions, MaxRequestBodyBytes: contract.RequestBytes, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the gate checks Host, also where the SDK would not
	})
}

// allowedHosts are the Host headers that a request may carry. For a loopback address these are its usual spellings.
func allowedHosts(addr net.Addr, more []string) []string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return more
	}
	hosts := []string{net.JoinHostPort(host, port)}
	if loopbackName(host) {
		for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
			hosts = append(hosts, net.JoinHostPort(name, port))
		}
	}
	return append(hosts, more...)
}

type key struct {
	sum     [sha256.Size]byte
	handler http.Handler
}

// gate stands in front of the SDK's handler.
type gate struct {
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
	keys    []key
}

// ServeHTTP refuses, in this order: foreign hosts (a rebound name), foreign origins, callers without a token, and
// requests that are no single well-formed message.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !slices.ContainsFunc(g.hosts, func(h string) bool { return strings.EqualFold(h, r.Host) }) {
		http.Error(w, "this Host is not allowed; --http-allow-host adds one", http.StatusForbidden)
		return
	}
	if !g.originAllowed(r) || g.cross.Check(r) != nil {
		http.Error(w, "this Origin is not allowed; --http-allow-origin adds one", http.StatusForbidden)
		return
	}
	h := g.authorized(r)
	if h == nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="glass"`)
		http.Error(w, "a valid bearer token is needed", http.StatusUnauthorized)
		return
	}
	if r.URL.Path != "/" && r.URL.Path != "/mcp" {
		http.NotFound(w, r)
		return
	}
	if r.Method == http.MethodPost && !readMessage(w, r) {
		return
	}
	ctx := context.WithValue(r.Context(), requestKey{}, r.Context())
	h.ServeHTTP(w, r.WithContext(ctx))
}

// originAllowed checks every method, also GET, which net/http's own protection lets through (reliability.md F12).
func (g *gate) originAllowed(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	own := slices.ContainsFunc(g.hosts, func(h string) bool {
		return strings.EqualFold(origins[0], "http://"+h) || strings.EqualFold(origins[0], "https://"+h)
	})
	return own || slices.Contains(g.origins, origins[0])
}

// authorized finds the handler of the request's token. Every token is compared, each in constant time.
func (g *gate) authorized(r *http.Request) http.Handler {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sum := sha256.Sum256([]byte(token))
	var found http.Handler
	for _, k := range g.keys {
		if subtle.ConstantTimeCompare(sum[:], k.sum[:]) == 1 && ok {
			found = k.handler
		}
	}
	return found
}

// readMessage checks the body as a line is checked, and puts it back for the SDK. It answers what is wrong.
func readMessage(w http.ResponseWriter, r *http.Request) bool {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return false
	}
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTime)) // not every ResponseWriter has one; the size is bounded all the same
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, contract.RequestBytes))
	if err != nil {
		status := http.StatusBadRequest
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "cannot read the body: it must end in time and have at most 4 MiB", status)
		return false
	}
	_ = rc.SetReadDeadline(time.Time{})
	if _, bad := decode(body); bad != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(bad.answer())
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return true
}
