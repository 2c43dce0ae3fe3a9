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
	// Addr is the host and port to listen on; port 0 is a free one.
	Addr string
	// Host is one more name that the server is reached by, such as that of a proxy; empty:
	// none.
	Host string
	// NoToken lets everybody who can reach the port read the pages.
	NoToken bool
	// Ledger is what the pages ask.
	Ledger Ledger
	// Name is the repository's, shown beside our own.
	Name string
	// Expired returns, for one page, a function that reports whether the line that a skip
	// is about is no longer in its file; nil if the files are not known.
	Expired func() func(ledger.Skip) bool
	// Now is the clock.
	Now func() time.Time
}

// Server serves the pages.
type Server struct {
	listener net.Listener
	server   *http.Server
	guard    *guard
	host     string
	loopback bool
}

// Listen makes a server that listens, and answers from [Server.Serve] on.
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
	s := &Server{listener: listener, guard: g, host: shownHost(host), loopback: loopback(host)}
	s.server = &http.Server{
		Handler:           g.protect(compressed(newSite(o).routes())),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute, // a log or a list of everything over a slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // errors of clients are not errors of the dashboard
	}
	return s, nil
}

// loopback reports whether only this machine reaches the host.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// shownHost is the host for an address that a person opens on this machine.
func shownHost(host string) string {
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		return "127.0.0.1"
	}
	return host
}

// cause is the system's error alone: the message around it says what was being done.
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

// secret is 32 random bytes.
func secret() string {
	data := make([]byte, 32)
	_, _ = rand.Read(data) // never fails
	return base64.RawURLEncoding.EncodeToString(data)
}

// Loopback reports whether only this machine reaches the server.
func (s *Server) Loopback() bool { return s.loopback }

// Close ends a server that did not serve yet.
func (s *Server) Close() error { return s.listener.Close() }

// URL returns the address that opens the pages, with the token.
func (s *Server) URL() string { return s.url(s.guard.token) }

// OnceURL is [Server.URL] with a token that can be used once, for a command line, which
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

// goodbye is how long running requests may take after the server was told to stop.
const goodbye = time.Second

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context) error {
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
		return err // it failed by itself
	}
	if err := <-ended; err != nil {
		return err
	}
	return nil
}
