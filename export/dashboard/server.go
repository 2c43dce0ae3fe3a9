package dashboard

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

// Options configure a [Server].
type Options struct {
	// Addr is the host and port to listen on. Port 0 means any free port.
	Addr string
	// Host is another name of the server, such as that of a proxy, or empty.
	Host string
	// NoToken gives everybody who can reach the port access to the pages.
	NoToken bool
	// Ledger is what the pages query.
	Ledger Ledger
	// Name is the name of the repository, shown beside that of reviewledger.
	Name string
	// Expired returns, for one page, a function that reports whether the line of a skip is no
	// longer in its file. It returns nil if the files are not known.
	Expired func() func(ledger.Skip) bool
	// Marks marks violations for their pages. If it is nil, the pages only read.
	Marks *Marks
	// Pulled returns when the ledger was pulled from a team store. It is nil if it was not.
	Pulled func() time.Time
	// Now is the clock.
	Now func() time.Time
}

// Server serves the pages.
type Server struct {
	listener net.Listener
	server   *http.Server
	guard    *guard
	marks    *marks
	host     string
	loopback bool
}

// Listen returns a server that listens. It answers once [Server.Serve] is called.
func Listen(ctx context.Context, o Options) (*Server, error) {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, filters.Errorf("cannot use the address %q: use HOST:PORT, such as 127.0.0.1:0", o.Addr)
	}
	if name, _, err := net.SplitHostPort(o.Host); err == nil {
		return nil, filters.Errorf("cannot use the address %q: use the host without a port, %q", o.Host, name)
	}
	if o.NoToken && !loopback(host) {
		return nil, filters.Errorf("cannot use the address %q without a token, because other machines can reach it: omit %s, or use a loopback address such as 127.0.0.1:0", o.Addr, filters.Flag("no-token"))
	}
	if o.Marks != nil && o.NoToken {
		return nil, filters.Errorf("cannot mark without a token, because everybody who can reach the port could: omit %s or %s", filters.Flag("marks"), filters.Flag("no-token"))
	}
	if o.Marks != nil && !loopback(host) {
		return nil, filters.Errorf("cannot mark on the address %q, because other machines can reach it and read the token on its way: omit %s, or use a loopback address such as 127.0.0.1:0", o.Addr, filters.Flag("marks"))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w; choose another address with --addr", o.Addr, cause(err))
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	g := &guard{port: port, session: secret()}
	for _, name := range []string{host, o.Host} {
		if name != "" {
			g.hosts = append(g.hosts, name)
		}
	}
	if !o.NoToken {
		g.token = secret()
	}
	site := newSite(o)
	if o.Marks != nil {
		g.forms = compressed(site.forms())
	}
	s := &Server{listener: listener, guard: g, marks: site.marks, host: shownHost(host), loopback: loopback(host)}
	s.server = &http.Server{
		Handler:           g.protect(compressed(site.routes())),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute, // enough for a log or a list of everything over a slow connection
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // errors of clients are not errors of the dashboard
	}
	return s, nil
}

// loopback reports whether only this machine can reach the host.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// shownHost returns the host for a URL that is opened on this machine.
func shownHost(host string) string {
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		return "127.0.0.1"
	}
	return host
}

// cause returns the innermost error. The message around it already says what was being done.
func cause(err error) error {
	for _, kind := range []any{new(*net.OpError), new(*net.AddrError), new(*net.DNSError)} {
		if !errors.As(err, kind) {
			continue
		}
		switch failed := kind.(type) {
		case **net.OpError:
			return cause((*failed).Err)
		case **net.AddrError:
			return errors.New((*failed).Err)
		case **net.DNSError:
			return errors.New((*failed).Err)
		}
	}
	return err
}

// secret returns 32 random bytes, encoded for a URL.
func secret() string {
	data := make([]byte, 32)
	_, _ = rand.Read(data) // never fails
	return base64.RawURLEncoding.EncodeToString(data)
}

// Loopback reports whether only this machine can reach the server.
func (s *Server) Loopback() bool { return s.loopback }

// Close closes a server that has not served yet.
func (s *Server) Close() error { return s.listener.Close() }

// URL returns the URL that opens the pages, with the token.
func (s *Server) URL() string { return s.url(s.guard.token) }

// OnceURL is [Server.URL] with a token that can be used once. It is meant for a command line, which
// other users of the machine can read.
func (s *Server) OnceURL() string {
	if s.guard.token == "" {
		return s.URL()
	}
	once := secret()
	s.guard.mutex.Lock()
	s.guard.once = once
	s.guard.mutex.Unlock()
	return s.url(once)
}

func (s *Server) url(token string) string {
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(s.host, s.guard.port), Path: "/"}
	if token != "" {
		u.RawQuery = "token=" + token
	}
	return u.String()
}

// goodbye is how long pending requests may take after the server was told to stop.
const goodbye = time.Second

// Serve answers requests until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	defer s.marks.end() // nothing else waits for it
	s.server.BaseContext = func(net.Listener) context.Context { return ctx }
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
		defer cancel()
		err := s.server.Shutdown(last)
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.server.Close()
		}
		ended <- err
	})
	err := s.server.Serve(s.listener)
	if stop() {
		return err // it failed on its own
	}
	if err := <-ended; err != nil {
		return err
	}
	return nil
}
