// Package teamtest provides tests with a PostgreSQL server: one cluster for each test binary, and a
// schema for each test.
package teamtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// errNoServer means that PostgreSQL is not installed.
var errNoServer = errors.New("PostgreSQL is not installed (Debian: apt-get install postgresql)")

// cluster is the cluster of this test binary. It is started when a test first asks for it.
var cluster struct {
	sync.Mutex
	*server
	err     error
	managed bool
}

// Main runs the tests of a package, and stops the server if one was started. TestMain calls it.
func Main(m *testing.M) int {
	cluster.Lock()
	cluster.managed = true
	cluster.Unlock()
	defer func() {
		cluster.Lock()
		defer cluster.Unlock()
		if cluster.server != nil {
			cluster.stop()
		}
	}()
	return m.Run()
}

var schemas atomic.Int64

// URL returns the address of a new schema, as the owner of the database, on a server that needs no
// passwords. The schema does not exist yet, and no other test uses it. If PostgreSQL is not
// installed, the test is skipped, or fails if CI=true.
func URL(t testing.TB) string {
	t.Helper()
	url, err := Address()
	switch {
	case err != nil:
		t.Fatal(err)
	case url == "":
		t.Skip("skipped: " + errNoServer.Error())
	}
	return url
}

// Address is like [URL] without a testing.TB. If PostgreSQL is not installed, it returns "", or an
// error if CI=true.
func Address() (string, error) {
	s, err := running()
	if errors.Is(err, errNoServer) && os.Getenv("CI") != "true" {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return s.url("postgres", fmt.Sprintf("t%d", schemas.Add(1))), nil
}

// As returns the same address for another role, which is created if it does not exist. The role
// logs in without a password.
func As(t testing.TB, url, role string) string {
	t.Helper()
	Exec(t, url, fmt.Sprintf(`DO $$ BEGIN
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%[1]s') THEN CREATE ROLE %[1]s LOGIN; END IF;
	END $$`, role))
	return strings.Replace(url, "postgres://postgres@", "postgres://"+role+"@", 1)
}

// Exec runs statements in the schema of the address.
func Exec(t testing.TB, url string, statements ...string) {
	t.Helper()
	connected(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}

// Ask returns the only value in the result of a query in the schema of the address.
func Ask[T any](t testing.TB, url, query string, args ...any) (value T) {
	t.Helper()
	connected(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, query, args...).Scan(&value)
	})
	return value
}

func connected(t testing.TB, url string, do func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	err = do(ctx, conn)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(err)
	}
}

func running() (*server, error) {
	cluster.Lock()
	defer cluster.Unlock()
	if !cluster.managed {
		return nil, errors.New("the package has no TestMain that calls teamtest.Main: nobody would stop the server")
	}
	if cluster.server == nil && cluster.err == nil {
		cluster.server, cluster.err = start()
	}
	return cluster.server, cluster.err
}

// server is a cluster in a temporary folder.
type server struct {
	folder string
	port   int
	watch  *exec.Cmd
	alive  *os.File // the server runs as long as this is open
}

func (s *server) url(role, schema string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable&search_path=%s", role, s.port, schema)
}

// start creates a cluster and starts its server.
func start() (_ *server, err error) {
	initdb, err := program("initdb")
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "teamtest-")
	if err != nil {
		return nil, err
	}
	s := &server{folder: folder}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if err := giveAway(folder); err != nil {
		return nil, err
	}
	made := exec.Command(initdb, "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--pgdata="+s.data())
	made.Dir = folder
	unprivileged(made)
	if out, err := made.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	for range 3 { // another process may take the port meanwhile
		if err = s.launch(filepath.Join(filepath.Dir(initdb), "postgres")); err == nil {
			return s, nil
		}
	}
	return nil, err
}

// Locked is a role that must give a password, unlike all others.
const Locked = "locked"

// lock makes the server ask the role Locked for its password.
func (s *server) lock() error {
	path := filepath.Join(s.data(), "pg_hba.conf")
	rules, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte("host all "+Locked+" 127.0.0.1/32 scram-sha-256\n"), rules...), 0o600)
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

// watchdog runs the server until its stdin is closed, which also happens if this process dies.
const watchdog = `"$0" "$@" </dev/null & server=$!; read -r _; kill -QUIT $server; wait $server`

// launch starts the server on a free port and waits until it answers.
func (s *server) launch(postgres string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	arguments := []string{"-c", watchdog, postgres, "-D", s.data()}
	for _, setting := range []string{
		"listen_addresses=127.0.0.1", fmt.Sprintf("port=%d", s.port), "unix_socket_directories=" + s.folder,
		"fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200",
	} {
		arguments = append(arguments, "-c", setting)
	}
	s.watch = exec.Command("/bin/sh", arguments...)
	s.watch.Dir, s.watch.Stdout, s.watch.Stderr = s.folder, log, log
	unprivileged(s.watch)
	read, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	s.watch.Stdin, s.alive = read, alive
	err = s.watch.Start()
	_ = read.Close()
	if err == nil {
		err = s.wait()
	}
	if err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("start PostgreSQL: %w: %s", err, said)
	}
	return nil
}

// wait returns when the server accepts connections.
func (s *server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.watch.Wait() }()
	for {
		conn, err := pgx.Connect(ctx, s.url("postgres", "public"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the server ended: %w", err)
		case <-ctx.Done():
			_ = s.alive.Close()
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop stops the server at once: nothing in it is kept.
func (s *server) stop() {
	_ = s.alive.Close()
	for range 500 { // the goroutine of wait waits for the process
		if _, err := os.Stat(filepath.Join(s.data(), "postmaster.pid")); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = os.RemoveAll(s.folder)
}

// program returns the path of a PostgreSQL program. Debian does not have them in PATH.
func program(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/", "/opt/homebrew/opt/postgresql*/bin/", "/usr/local/opt/postgresql*/bin/"} {
		paths, err := filepath.Glob(pattern + name)
		if err != nil {
			return "", err
		}
		found = append(found, paths...)
	}
	if len(found) == 0 {
		return "", errNoServer
	}
	number := regexp.MustCompile(`\d+`)
	version := func(path string) string { return fmt.Sprintf("%4s", number.FindString(path)) }
	return slices.MaxFunc(found, func(a, b string) int { return strings.Compare(version(a), version(b)) }), nil
}
