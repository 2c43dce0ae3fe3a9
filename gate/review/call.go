package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/reviewledger/reviewledger/gate/process"
)

// A client knows one CLI: how it is called without a terminal, and what it then
// prints.
type client interface {
	// command returns the command line. An empty model means the client's own
	// default; scratch is an empty folder outside the repository, for files
	// that the client writes.
	command(model, scratch string) []string
	// environment returns what the client needs to run unattended, and
	// read-only.
	environment() environment
	// read takes apart what the client printed, whether it ended well or not.
	read(out output) answer
}

// output is what one run of a client left.
type output struct {
	stdout, stderr, prompt []byte
	scratch                string
	// failed reports whether the client exited non-zero or died by a signal.
	failed bool
}

// answer is what a client's output says.
type answer struct {
	text  string
	usage Usage
	// fault is the error that the client reports, or nil.
	fault *fault
}

// fault is an error in a client's own words.
type fault struct {
	kind    ErrorKind // set if the place of the message alone says it
	status  int       // the HTTP status, or 0
	message string
}

// protocolFault says that the output is not what is known of the client.
func protocolFault(format string, args ...any) *fault {
	return &fault{kind: KindProtocol, message: fmt.Sprintf(format, args...)}
}

// reviewer runs a client.
type reviewer struct {
	name   string
	limit  int
	model  string
	client client
	// onlyUTF8 means that the client refuses a prompt with invalid UTF-8. To
	// all others it goes as it is.
	onlyUTF8 bool
}

// Name implements [Reviewer].
func (r reviewer) Name() string { return r.name }

// InputLimit implements [Reviewer].
func (r reviewer) InputLimit() int { return r.limit }

// Review implements [Reviewer].
func (r reviewer) Review(ctx context.Context, call Call) (Reply, error) {
	if len(call.Prompt) > r.limit {
		return Reply{}, &CallError{Kind: KindInputLimit, ExitCode: -1,
			Message: fmt.Sprintf("a prompt of %d bytes, where %s takes %d", len(call.Prompt), r.name, r.limit)}
	}
	if r.onlyUTF8 {
		call.Prompt = bytes.ToValidUTF8(call.Prompt, []byte("\uFFFD"))
	}
	scratch, err := os.MkdirTemp("", "reviewledger-")
	if err != nil {
		return Reply{}, startError(err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	return r.run(ctx, call, scratch)
}

func (r reviewer) run(ctx context.Context, call Call, scratch string) (Reply, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	timeout := cmp.Or(call.Timeout, DefaultTimeout)
	model := cmp.Or(call.Model, r.model)
	stdout := &boundedBuffer{limit: MaxOutput, overflow: stop}
	stderr := &tailBuffer{limit: 1 << 20}
	reply := Reply{Command: r.client.command(model, scratch)}

	result, err := process.Run(running, process.Command{
		Args:    reply.Command,
		Dir:     call.Dir,
		Env:     childEnvironment(call.Env, call.Dir, r.client.environment()),
		Stdin:   bytes.NewReader(call.Prompt),
		Stdout:  stdout,
		Stderr:  tee(stderr, call.Stderr),
		Timeout: timeout,
	})
	reply.Stdout, reply.Stderr, reply.Duration = stdout.buf.Bytes(), stderr.bytes(), result.Duration
	switch {
	case stdout.overflowed:
		return reply, &CallError{Kind: KindOutputLimit, ExitCode: -1}
	case err != nil:
		return reply, startError(err)
	case result.Interrupted:
		return reply, &CallError{Kind: KindInterrupted, ExitCode: -1, Err: context.Cause(ctx)}
	case result.TimedOut:
		return reply, &CallError{Kind: KindTimeout, ExitCode: -1, Timeout: timeout}
	}
	out := output{reply.Stdout, reply.Stderr, call.Prompt, scratch, !result.OK()}
	said := r.client.read(out)
	if out.failed && (said.fault == nil || said.fault.kind == KindProtocol) {
		said.fault = cmp.Or(stderrFault(out), said.fault)
	}
	reply.Usage = said.usage
	reply.Usage.Model = cmp.Or(reply.Usage.Model, model)
	if err := judge(result, said); err != nil {
		return reply, err
	}
	reply.Text = said.text
	return reply, nil
}

// judge says whether a client that ended by itself has answered. A client that
// failed has not, even if its output holds an answer.
func judge(result process.Result, said answer) error {
	failure := &CallError{Kind: KindReported, ExitCode: result.ExitCode, Signal: result.Signal}
	switch {
	case result.Signal != "":
		failure.Kind = KindSignal
	case result.ExitCode != 0:
		failure.Kind = KindExit
	case said.fault == nil && !isBlank(said.text):
		return nil
	case isBlank(said.text) && (said.fault == nil || said.fault.kind == ""):
		failure.Kind = KindEmpty
	}
	if said.fault == nil {
		return failure
	}
	failure.Message = oneLine(said.fault.message)
	switch said.fault.kind {
	case "":
		failure.Kind = kindOf(said.fault.status, said.fault.message, failure.Kind)
	case KindProtocol: // no more than an explanation, where the client has failed
		if failure.Kind == KindReported {
			failure.Kind = KindProtocol
		}
	default:
		failure.Kind = said.fault.kind
	}
	return failure
}

func startError(err error) error {
	e := &CallError{Kind: KindStart, ExitCode: -1, Message: oneLine(err.Error()), Err: err}
	if errors.Is(err, process.ErrNotFound) {
		e.Message += " (is it installed and on PATH?)"
	}
	return e
}

// boundedBuffer keeps everything up to a limit, and calls overflow beyond it.
type boundedBuffer struct {
	buf        bytes.Buffer
	limit      int
	overflowed bool
	overflow   func()
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.overflowed || b.buf.Len()+len(p) > b.limit {
		b.overflowed = true
		b.overflow()
		return 0, errors.New("output too large")
	}
	return b.buf.Write(p)
}

// tailBuffer keeps the last limit bytes.
type tailBuffer struct {
	buf   []byte
	limit int
}

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.buf = append(b.buf, p...)
	if len(b.buf) > 2*b.limit { // trimmed rarely, so that each byte moves once
		b.buf = append(b.buf[:0], b.buf[len(b.buf)-b.limit:]...)
	}
	return len(p), nil
}

func (b *tailBuffer) bytes() []byte { return b.buf[max(0, len(b.buf)-b.limit):] }

func tee(first, second io.Writer) io.Writer {
	if second == nil {
		return first
	}
	return io.MultiWriter(first, second)
}
