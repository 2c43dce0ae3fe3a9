package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is the longest message of a client, in bytes.
const maxMessage = 1 << 20

// newTransport is a transport of a message a line. The SDK's own ends the session at a
// line that is not a message, answers calls in any order, and at the end of the input drops those
// that it has not answered; here the client is told, and every call is answered before the next one
// is read: what a client marks and then asks for is marked.
func newTransport(in io.Reader, out io.Writer) mcp.Transport {
	w := &answers{out: out, pending: map[jsonrpc.ID]bool{}, changed: make(chan struct{}, 1), closed: make(chan struct{})}
	return &mcp.IOTransport{Reader: &messages{in: bufio.NewReaderSize(in, 64<<10), out: w}, Writer: w, MaxLineLength: -1}
}

// answers writes the lines of several goroutines, each whole, and knows which requests are
// not answered yet.
type answers struct {
	mu      sync.Mutex
	out     io.Writer
	pending map[jsonrpc.ID]bool
	changed chan struct{} // receives a value when pending becomes smaller
	once    sync.Once
	closed  chan struct{}
}

// Write writes one message.
func (a *answers) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, err := a.out.Write(data)
	if message, wrong := jsonrpc.DecodeMessage(data); wrong == nil {
		if response, ok := message.(*jsonrpc.Response); ok {
			a.settle(response.ID)
		}
	}
	return n, err
}

// settle notes that the request was answered or cancelled. The caller holds mu.
func (a *answers) settle(id jsonrpc.ID) {
	delete(a.pending, id)
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// expect notes what a message of the client asks for.
func (a *answers) expect(message jsonrpc.Message) {
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if request.ID.IsValid() {
		a.pending[request.ID] = true
		return
	}
	var cancelled struct {
		ID any `json:"requestId"`
	}
	if request.Method == "notifications/cancelled" && json.Unmarshal(request.Params, &cancelled) == nil {
		if id, err := jsonrpc.MakeID(cancelled.ID); err == nil {
			a.settle(id)
		}
	}
}

// patience is how long an answer is waited for before the next call, and after the end of the
// input.
const patience = time.Minute

// wait waits until every request is answered.
func (a *answers) wait() {
	enough := time.After(patience)
	for {
		a.mu.Lock()
		left := len(a.pending)
		a.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-a.changed:
		case <-a.closed:
			return
		case <-enough:
			return
		}
	}
}

func (a *answers) Close() error {
	a.once.Do(func() { close(a.closed) })
	return nil
}

// messages reads the lines that are messages, and answers the others.
type messages struct {
	in   *bufio.Reader
	out  *answers
	rest []byte // of the line that is being read
}

func (m *messages) Close() error { return nil }

func (m *messages) Read(to []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if errors.Is(err, io.EOF) {
			m.out.wait()
		}
		if err != nil {
			return 0, err
		}
		m.rest = line
	}
	n := copy(to, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// errTooLong means that a line is longer than [maxMessage].
var errTooLong = errors.New("too long")

// line is the next message, or empty where the line held none.
func (m *messages) line() ([]byte, error) {
	line, err := m.whole()
	line = bytes.TrimSpace(line)
	message, code, why := decode(line)
	switch {
	case errors.Is(err, errTooLong):
		return nil, m.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message is longer than %d bytes", maxMessage))
	case len(line) == 0:
		return nil, err
	case why == "":
		if request, ok := message.(*jsonrpc.Request); ok && request.ID.IsValid() {
			m.out.wait()
		}
		m.out.expect(message)
		return append(line, '\n'), nil // an error is found again by the next call
	}
	if refused := m.refuse(code, why); refused != nil {
		return nil, refused
	}
	return nil, err
}

// decode reads a line, or says why it is not a message.
func decode(line []byte) (message jsonrpc.Message, code int, why string) {
	if !json.Valid(line) {
		return nil, jsonrpc.CodeParseError, "not valid JSON"
	}
	if line[0] != '{' {
		return nil, jsonrpc.CodeInvalidRequest, "not a JSON-RPC message: send one object a line"
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message"
	}
	return message, 0, ""
}

// whole reads a line, and skips one that is too long.
func (m *messages) whole() (line []byte, err error) {
	tooLong := false
	for {
		part, err := m.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessage; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong && (err == nil || errors.Is(err, io.EOF)) {
			return nil, errTooLong
		}
		return line, err
	}
}

// refuse tells the client that a line was not understood. The answer has no request id,
// because the line could not be read.
func (m *messages) refuse(code int, why string) error {
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = m.out.Write(append(data, '\n'))
	}
	return err
}
