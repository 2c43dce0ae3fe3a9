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

// maxMessage is the largest size of a client's message, in bytes.
const maxMessage = 1 << 20

// newTransport returns a transport with one message per line. The SDK's own transport ends the
// session at a line that is not a message, answers calls in any order, and drops unanswered calls
// at the end of the input. This one tells the client, and answers every call before it reads the
// next, so that a client that marks something and then reads it sees the mark.
func newTransport(in io.Reader, out io.Writer) mcp.Transport {
	w := &answers{out: out, pending: map[jsonrpc.ID]bool{}, changed: make(chan struct{}, 1), closed: make(chan struct{})}
	return &mcp.IOTransport{Reader: &messages{in: bufio.NewReaderSize(in, 64<<10), out: w}, Writer: w, MaxLineLength: -1}
}

// answers writes whole lines for several goroutines, and keeps track of the requests that have not
// been answered.
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

// settle records that the request was answered or canceled. The caller holds mu.
func (a *answers) settle(id jsonrpc.ID) {
	delete(a.pending, id)
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// expect records the request or the cancellation in a client's message.
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
	var canceled struct {
		ID any `json:"requestId"`
	}
	if request.Method == "notifications/cancelled" && json.Unmarshal(request.Params, &canceled) == nil {
		if id, err := jsonrpc.MakeID(canceled.ID); err == nil {
			a.settle(id)
		}
	}
}

// patience is how long the transport waits for answers before the next call, and after the end of
// the input.
const patience = time.Minute

// wait waits until every request is answered, but not longer than patience.
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

// messages reads lines that are messages, and refuses the others.
type messages struct {
	in   *bufio.Reader
	out  *answers
	rest []byte // of the current line
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

// line returns the next message, or nothing if the line is not a message.
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
		return append(line, '\n'), nil // the next call finds an error again
	}
	if refused := m.refuse(code, why); refused != nil {
		return nil, refused
	}
	return nil, err
}

// decode parses a line, or returns why it is not a message.
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

// whole reads a line. It skips a line that is too long.
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

// refuse tells the client that a line was not understood. The answer has no request id, because the
// line could not be parsed.
func (m *messages) refuse(code int, why string) error {
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = m.out.Write(append(data, '\n'))
	}
	return err
}
