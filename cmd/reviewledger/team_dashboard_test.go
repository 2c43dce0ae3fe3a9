package main

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// wire is a connection to a server that can be cut.
type wire struct {
	*testing.T
	address, to string
	listener    net.Listener
	mutex       sync.Mutex
	cut         bool
	open        []net.Conn
}

// newWire forwards to the server with this address.
func newWire(t *testing.T, to string) *wire {
	t.Helper()
	w := &wire{T: t, address: "127.0.0.1:0", to: to}
	w.join()
	w.address = w.listener.Addr().String()
	t.Cleanup(w.sever)
	return w
}

// join forwards new connections.
func (w *wire) join() {
	w.Helper()
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		w.Fatal(err)
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.listener, w.cut = listener, false
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			w.lead(conn)
		}
	}()
}

// lead forwards one connection to the server.
func (w *wire) lead(conn net.Conn) {
	server, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = conn.Close()
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.cut {
		_, _ = conn.Close(), server.Close()
		return
	}
	w.open = append(w.open, conn, server)
	for _, ends := range [][2]net.Conn{{conn, server}, {server, conn}} {
		go func() {
			_, _ = io.Copy(ends[0], ends[1])
			_, _ = ends[0].Close(), ends[1].Close()
		}()
	}
}

// sever closes all connections and refuses new ones.
func (w *wire) sever() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	_ = w.listener.Close()
	w.cut = true
	for _, conn := range w.open {
		_ = conn.Close()
	}
	w.open = nil
}

// asJSON requests the JSON of a page.
const asJSON = "?format=json"

// TestDashboardOfATeamOutlivesItsServer cuts the connection of a dashboard to its server, and
// restores it.
func TestDashboardOfATeamOutlivesItsServer(t *testing.T) {
	both := bothStores{t, filepath.Join(t.TempDir(), "ledger.db"), teamtest.URL(t)}
	if err := storetest.Generate(t.Context(), both.path, storetest.Size{Runs: 3, Iterations: 1, Violations: 4}, time.Now()); err != nil {
		t.Fatal(err)
	}
	both.push(exchange.ContentWords)
	address, err := url.Parse(both.url)
	if err != nil {
		t.Fatal(err)
	}
	way := newWire(t, address.Host)
	address.Host = way.address
	s, err := ask.Open(t.Context(), team.Options{URL: address.String(), Connections: teamConnections})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	shown := serve(t, dashboard.Options{Ledger: watchedTeam{s}})
	pages := []string{"/", "/runs", "/violations", "/files", "/reviewers"}
	before := map[string]string{}
	for range 2 {
		for _, page := range pages {
			before[page] = shown.get(page+asJSON, http.StatusOK)
		}
		way.sever()
		for _, page := range pages {
			for _, said := range []string{shown.get(page, http.StatusOK), shown.get(page+asJSON, http.StatusInternalServerError)} {
				if !strings.Contains(said, "does not answer") {
					t.Errorf("%s while the server is away: %.2000s", page, said[strings.Index(said, "<main"):])
				}
			}
		}
		way.join()
		for _, page := range pages {
			if after := shown.get(page+asJSON, http.StatusOK); after != before[page] {
				t.Errorf("%s after the server came back:\n%.500s\nwant:\n%.500s", page, after, before[page])
			}
			if said := shown.get(page, http.StatusOK); strings.Contains(said, "does not answer") {
				t.Errorf("%s after the server came back: %.2000s", page, said)
			}
		}
	}
}
