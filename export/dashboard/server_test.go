package dashboard

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// closedLedger is a ledger that cannot be read.
type closedLedger struct{}

var errClosed = errors.New("the ledger is locked")

func (closedLedger) Ask(context.Context) (Questions, func(), error) {
	return nil, nil, errClosed
}
func (closedLedger) Version(context.Context) (string, error) { return "", errClosed }

func TestAddressesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	inUse := taken.Addr().String()
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Addr: "8080"}, `cannot use the address "8080": use HOST:PORT, such as 127.0.0.1:0`},
		{Options{Addr: "127.0.0.1:0", Host: "review.example:80"}, `cannot use the address "review.example:80": use the host without a port, "review.example"`},
		{Options{Addr: "0.0.0.0:0", NoToken: true}, `cannot use the address "0.0.0.0:0" without a token, because other machines can reach it: omit --no-token, or use a loopback address such as 127.0.0.1:0`},
		{Options{Addr: ":0", NoToken: true}, `cannot use the address ":0" without a token, because other machines can reach it: omit --no-token, or use a loopback address such as 127.0.0.1:0`},
		{Options{Addr: "127.0.0.1.nip.io:0", NoToken: true}, `cannot use the address "127.0.0.1.nip.io:0" without a token, because other machines can reach it: omit --no-token, or use a loopback address such as 127.0.0.1:0`},
		{Options{Addr: "127.0.0.1:0", NoToken: true, Marks: &Marks{}}, `cannot mark without a token, because everybody who can reach the port could: omit --marks or --no-token`},
		{Options{Addr: "0.0.0.0:0", Marks: &Marks{}}, `cannot mark on the address "0.0.0.0:0", because other machines can reach it and read the token on its way: omit --marks, or use a loopback address such as 127.0.0.1:0`},
		{Options{Addr: inUse}, `listen on "` + inUse + `": bind: address already in use; choose another address with --addr`},
		{Options{Addr: "127.0.0.1:65536"}, `listen on "127.0.0.1:65536": invalid port; choose another address with --addr`},
	} {
		s, err := Listen(t.Context(), test.o)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%+v:\n%v\nnot\n%s", test.o, err, test.want)
		}
	}
}

// If the ledger cannot be read, each panel of a page says so. The server keeps running until its
// context ends.
func TestServe(t *testing.T) {
	t.Parallel()
	s, err := Listen(t.Context(), Options{Addr: "127.0.0.1:0", Ledger: closedLedger{}, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(s.URL())
	if err != nil || response.StatusCode != http.StatusSeeOther {
		t.Fatalf("%v, %v", response, err)
	}
	for path, want := range map[string]int{
		"/": 200, "/runs": 200, "/violations": 200, "/reviewers": 200, "/files": 200, "/checks": 200, "/verdicts": 200,
		"/runs?format=json": 500, "/runs/01KB": 500, "/v": 200, "/nothing": 404, "/runs?limit=many": 400,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.SplitAfter(s.URL(), s.guard.port)[0]+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(response.Cookies()[0])
		got, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != want {
			t.Errorf("%s: %d, %v", path, got.StatusCode, err)
		}
		if says := strings.Contains(string(body), errClosed.Error()); says != (want == 200 && path != "/v" || want == 500) {
			t.Errorf("%s says why: %t", path, says)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
