package dashboard

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// guard admits a request only if it addresses this server, if no other site makes it, and if it has
// the token. A web page elsewhere can make a browser send requests to 127.0.0.1, also by a host
// name of its own, and other users of the machine can reach the port.
type guard struct {
	port string
	// hosts are names of the server other than those of the loopback.
	hosts []string
	// token gives access to the pages. If it is empty, everybody who can reach the port has access.
	token string
	// forms answers what forms of the pages send. It is nil if the pages only read.
	forms http.Handler
	// session is the value of the cookie.
	session string

	mutex sync.Mutex
	// once is a token that can be used once: it was on a command line, which other users of the
	// machine can read.
	once string
}

// headers sets the headers of every response, including refusals. Forms need the browser to say where
// they are from, which it does only for pages that allow that.
func headers(h http.Header, forms bool) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if forms {
		h.Set("Referrer-Policy", "same-origin")
	}
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// protect returns the handler behind the guard. The order of the checks matters: nothing else is
// looked at before the Host header, and nothing is routed before the token is checked.
func (g *guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w.Header(), g.forms != nil)
		switch {
		case !g.isKnownHost(r.Host):
			refuse(w, http.StatusForbidden, "This is not the address of the dashboard: open the URL that `reviewledger dashboard` printed, or name this host with --host.")
		case isCrossSite(r.Header):
			refuse(w, http.StatusForbidden, "Another site asked for this page: only the dashboard's own pages may.")
		case g.token != "" && g.admit(w, r):
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			next.ServeHTTP(w, r)
		case r.Method != http.MethodPost || g.forms == nil:
			onlyReads(w, r)
		case !isOwnForm(r):
			refuse(w, http.StatusForbidden, "Another page sent this form: only the dashboard's own pages may.")
		default:
			g.forms.ServeHTTP(w, r)
		}
	})
}

// onlyReads refuses a request that is not for reading.
func onlyReads(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Allow", "GET, HEAD")
	refuse(w, http.StatusMethodNotAllowed, "The dashboard only reads: use GET.")
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, why) // a client that has closed the connection needs no answer
}

// isKnownHost reports whether the Host header is a name of this server. Any other name may belong
// to somebody who made it resolve to this address (DNS rebinding): a browser would treat their
// pages as the same site.
func (g *guard) isKnownHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil { // without a port, it is the port of HTTP
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "80"
	}
	if port != g.port {
		return false
	}
	if name == "localhost" || slices.Contains(g.hosts, name) {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.IsLoopback() && address.Zone() == ""
}

// isCrossSite reports whether a page of another site makes the request, except by a link to one of
// our pages. Browsers always send these headers; other clients need not.
func isCrossSite(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return h.Get("Sec-Fetch-Mode") != "navigate" || !slices.Contains([]string{"", "document"}, h.Get("Sec-Fetch-Dest"))
}

// cookieName returns the name of the cookie. It contains the port, because browsers share cookies
// between the ports of a host.
func (g *guard) cookieName() string { return "reviewledger-" + g.port }

// admit checks the token, or the cookie that it was exchanged for. It reports whether it has
// already answered the request.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) (answered bool) {
	query := r.URL.Query()
	if given := query.Get("token"); g.isToken(given) {
		http.SetCookie(w, &http.Cookie{Name: g.cookieName(), Value: g.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		query.Del("token")
		// A path with two leading slashes would lead to another host.
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: query.Encode()}
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusSeeOther)
		return true
	}
	for _, cookie := range r.CookiesNamed(g.cookieName()) {
		if equalSecrets(cookie.Value, g.session) {
			return false
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		// After a link from another site, the browser does not send the cookie. When the page
		// reloads itself, it does.
		w.Header().Set("Refresh", "0")
	}
	refuse(w, http.StatusForbidden, "The token is missing or wrong: open the URL that `reviewledger dashboard` printed.")
	return true
}

// isToken reports whether the token gives access to the pages.
func (g *guard) isToken(given string) bool {
	if equalSecrets(given, g.token) {
		return true
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !equalSecrets(given, g.once) {
		return false
	}
	g.once = ""
	return true
}

// equalSecrets compares two secrets in constant time. An empty secret equals nothing.
func equalSecrets(given, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
}
