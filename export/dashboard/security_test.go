package dashboard

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// behind answers every request that the guard admits.
func behind(g *guard) http.Handler {
	return g.protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the pages") }))
}

// request returns a request for a path of the host. headers are names, each followed by its value.
func request(host, path string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func respond(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestHosts(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080", hosts: []string{"review.example", "192.168.1.5"}})
	for host, known := range map[string]bool{
		"127.0.0.1:8080":               true,
		"127.8.9.10:8080":              true,
		"localhost:8080":               true,
		"[::1]:8080":                   true,
		"review.example:8080":          true,
		"192.168.1.5:8080":             true,
		"127.0.0.1":                    false, // without a port, it is the port of HTTP
		"127.0.0.1:80":                 false,
		"127.0.0.1:8081":               false,
		"127.0.0.1:08080":              false,
		"localhost":                    false,
		"":                             false,
		":8080":                        false,
		"127.0.0.1.evil.com:8080":      false,
		"localhost.evil.com:8080":      false,
		"evil.localhost:8080":          false,
		"localhost.:8080":              false,
		"evil.com:8080":                false,
		"evil.com#127.0.0.1:8080":      false,
		"127.0.0.1:8080@evil.com:8080": false,
		"0.0.0.0:8080":                 false,
		"[::]:8080":                    false,
		"192.168.1.6:8080":             false,
		"2130706433:8080":              false, // 127.0.0.1, as some resolvers read it
		"0x7f.1:8080":                  false,
		"127.1:8080":                   false,
		"[::1%25lo]:8080":              false,
		"sub.review.example:8080":      false,
	} {
		want := http.StatusForbidden
		if known {
			want = http.StatusOK
		}
		if got := respond(h, request(host, "/")).StatusCode; got != want {
			t.Errorf("host %q: %d, not %d", host, got, want)
		}
	}
}

// A browser omits the standard port.
func TestHostWithoutPort(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "80"})
	for host, want := range map[string]int{"127.0.0.1": http.StatusOK, "[::1]": http.StatusOK, "localhost:80": http.StatusOK, "evil.com": http.StatusForbidden} {
		if got := respond(h, request(host, "/")).StatusCode; got != want {
			t.Errorf("host %q: %d, not %d", host, got, want)
		}
	}
}

func TestRequestsOfOtherSites(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080"})
	for _, test := range []struct {
		site, mode, dest string
		want             int
	}{
		{"", "", "", http.StatusOK},
		{"none", "navigate", "document", http.StatusOK},
		{"same-origin", "no-cors", "script", http.StatusOK},
		{"same-origin", "cors", "empty", http.StatusOK},
		{"cross-site", "navigate", "document", http.StatusOK},
		{"same-site", "navigate", "document", http.StatusOK},
		{"cross-site", "navigate", "iframe", http.StatusForbidden},
		{"cross-site", "navigate", "object", http.StatusForbidden},
		{"cross-site", "no-cors", "image", http.StatusForbidden},
		{"cross-site", "cors", "empty", http.StatusForbidden},
		{"same-site", "no-cors", "script", http.StatusForbidden}, // another port of this machine
		{"unheard-of", "cors", "empty", http.StatusForbidden},
	} {
		r := request("127.0.0.1:8080", "/", "Sec-Fetch-Site", test.site, "Sec-Fetch-Mode", test.mode, "Sec-Fetch-Dest", test.dest)
		if got := respond(h, r).StatusCode; got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080"})
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace, "MARK"} {
		r := request("127.0.0.1:8080", "/")
		r.Method = method
		response := respond(h, r)
		if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q", method, response.StatusCode, response.Header.Get("Allow"))
		}
	}
	r := request("127.0.0.1:8080", "/")
	r.Method = http.MethodHead
	if got := respond(h, r).StatusCode; got != http.StatusOK {
		t.Errorf("HEAD: %d", got)
	}
}

// Every response has the headers, including refusals.
func TestHeaders(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080", token: "t", session: "s"})
	for _, r := range []*http.Request{
		request("evil.com:8080", "/"),
		request("127.0.0.1:8080", "/"),
		request("127.0.0.1:8080", "/?token=t"),
		request("127.0.0.1:8080", "/", "Cookie", "reviewledger-8080=s"),
		request("127.0.0.1:8080", "/", "Sec-Fetch-Site", "cross-site"),
	} {
		header := respond(h, r).Header
		for name, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control":                "no-store",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s %s: %s is %q", r.Host, r.URL, name, got)
			}
		}
		for name := range header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s %s: has %s", r.Host, r.URL, name)
			}
		}
	}
}

// Files are served by name; their folder is not listed.
func TestAssets(t *testing.T) {
	t.Parallel()
	s := newSite(Options{})
	for name, want := range map[string]int{"app.css": http.StatusOK, "none": http.StatusNotFound, "": http.StatusNotFound} {
		if got := respond(s.routes(), request("127.0.0.1:8080", s.assets+name)).StatusCode; got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080", token: "the-token", session: "the-session", once: "once"})
	for _, test := range []struct {
		path, cookie string
		want         int
		location     string
	}{
		{"/", "", http.StatusForbidden, ""},
		{"/?token=", "", http.StatusForbidden, ""},
		{"/?token=the-toke", "", http.StatusForbidden, ""},
		{"/?token=the-session", "", http.StatusForbidden, ""},
		{"/?token=the-token", "", http.StatusSeeOther, "/"},
		{"/?token=once", "", http.StatusSeeOther, "/"},
		{"/?token=once", "", http.StatusForbidden, ""}, // it could only be used once
		{"/violations?open=1&token=the-token", "", http.StatusSeeOther, "/violations?open=1"},
		{"//evil.com/?token=the-token", "", http.StatusSeeOther, "/evil.com/"},
		{"/", "reviewledger-8080=the-session", http.StatusOK, ""},
		{"/", "reviewledger-8080=stale; reviewledger-8080=the-session", http.StatusOK, ""},
		{"/", "reviewledger-8080=the-token", http.StatusForbidden, ""},
		{"/", "reviewledger-8080=", http.StatusForbidden, ""},
		{"/", "reviewledger-8081=the-session", http.StatusForbidden, ""}, // that of another dashboard
	} {
		r := request("127.0.0.1:8080", "/", "Cookie", test.cookie)
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(test.path, "?")
		response := respond(h, r)
		if response.StatusCode != test.want || response.Header.Get("Location") != test.location {
			t.Errorf("%s with cookie %q: %d, to %q", test.path, test.cookie, response.StatusCode, response.Header.Get("Location"))
		}
		if cookies := response.Cookies(); test.want == http.StatusSeeOther {
			if len(cookies) != 1 || cookies[0].Raw != "reviewledger-8080=the-session; Path=/; HttpOnly; SameSite=Strict" {
				t.Errorf("%s: the cookies are %v", test.path, cookies)
			}
		} else if len(cookies) != 0 {
			t.Errorf("%s: sets %v", test.path, cookies)
		}
	}
}

// A link on another site leads to a page without the cookie. The page then reloads itself, with the
// cookie.
func TestLinksOfOtherSites(t *testing.T) {
	t.Parallel()
	h := behind(&guard{port: "8080", token: "t", session: "s"})
	for site, want := range map[string]string{"cross-site": "0", "same-site": "0", "same-origin": "", "none": "", "": ""} {
		r := request("127.0.0.1:8080", "/", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
		if response := respond(h, r); response.StatusCode != http.StatusForbidden || response.Header.Get("Refresh") != want {
			t.Errorf("%q: %d, Refresh %q", site, response.StatusCode, response.Header.Get("Refresh"))
		}
	}
}

func TestSecretsAreLongAndDifferent(t *testing.T) {
	t.Parallel()
	a, b := secret(), secret()
	if a == b || len(a) < 43 || strings.ContainsAny(a, "+/=") {
		t.Errorf("%q and %q", a, b)
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	h := compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/same" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, strings.Repeat("page ", 1000))
	}))
	for _, test := range []struct {
		path, accepts string
		packed        bool
	}{
		{"/", "gzip, deflate, br", true},
		{"/", "br, gzip;q=0.5", true},
		{"/", "gzip;q=0", false},
		{"/", "gzip; q=0.0", false},
		{"/", "br", false},
		{"/", "", false},
		{"/same", "gzip", false},
	} {
		response := respond(h, request("127.0.0.1", test.path, "Accept-Encoding", test.accepts))
		var body io.Reader = response.Body
		if packed := response.Header.Get("Content-Encoding") == "gzip"; packed != test.packed {
			t.Errorf("%s for %q: packed is %t", test.path, test.accepts, packed)
		} else if packed {
			unpacked, err := gzip.NewReader(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = unpacked
		}
		data, err := io.ReadAll(body)
		if want := map[string]int{"/": 5000, "/same": 0}[test.path]; err != nil || len(data) != want {
			t.Errorf("%s for %q: %d bytes, %v", test.path, test.accepts, len(data), err)
		}
		if response.Header.Get("Vary") != "Accept-Encoding" {
			t.Error("Vary is not set")
		}
	}
}
