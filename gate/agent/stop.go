package agent

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Stop is the event that a host sends when an agent wants to stop.
type Stop struct {
	// Session is the host's id of the conversation; empty if the host does not give one.
	Session string
	// Folder is where the agent works, or "" if the host does not say so.
	Folder string
	// Excused means that the agent does not claim to have finished: it is a subagent, other tasks
	// are still running, or the user or an error ended the turn.
	Excused bool
}

// maxPayload is how many bytes of a payload are read. Hosts include the agent's last message.
const maxPayload = 16 << 20

const byteOrderMark = "\uFEFF"

// ReadStop reads the JSON that the host writes to stdin. It does not wait for stdin to end.
func ReadStop(h Host, in io.Reader) (Stop, error) {
	var payload struct {
		SessionID       *string           `json:"session_id"`
		SessionCamel    *string           `json:"sessionId"`
		ConversationID  *string           `json:"conversation_id"`
		AgentID         json.RawMessage   `json:"agent_id"`
		BackgroundTasks []json.RawMessage `json:"background_tasks"`
		Status          *string           `json:"status"`
		Folder          json.RawMessage   `json:"cwd"`
	}
	buffered := bufio.NewReader(io.LimitReader(in, maxPayload))
	if first, _ := buffered.Peek(len(byteOrderMark)); string(first) == byteOrderMark { // some hosts write it
		_, _ = buffered.Discard(len(byteOrderMark))
	}
	if err := json.NewDecoder(buffered).Decode(&payload); err != nil {
		return Stop{}, fmt.Errorf("read the event that %s writes to stdin: %w", h.Title, inWords(err))
	}
	names := []*string{payload.SessionID, payload.SessionCamel, payload.ConversationID}
	switch h.Name {
	case "copilot":
		names[0], names[1] = names[1], names[0]
	case "cursor":
		names[0], names[2] = names[2], names[0]
	}
	var s Stop
	for _, name := range names {
		if s.Session == "" && name != nil {
			s.Session = *name
		}
	}
	if s.Session == "" {
		return s, fmt.Errorf("read the event that %s writes to stdin: it does not name a session", h.Title)
	}
	if json.Unmarshal(payload.Folder, &s.Folder) != nil || !filepath.IsAbs(s.Folder) {
		s.Folder = ""
	}
	agent := strings.Trim(string(payload.AgentID), `"`)
	s.Excused = agent != "" && agent != "null" || len(payload.BackgroundTasks) > 0 ||
		h.Name == "cursor" && payload.Status != nil && *payload.Status != "completed"
	return s, nil
}

// inWords returns an error that says which key of an object has a value of the wrong type, and what
// the value should be.
func inWords(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Field == "" {
		return errors.New("it is not an object")
	}
	what := "a text"
	switch wrong.Type.Kind() {
	case reflect.Slice:
		what = "an array"
	case reflect.Int:
		what = "a whole number"
	}
	return fmt.Errorf("%q is not %s", wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], what) // without the names of embedded structs
}

// MaxBlocks is how often one session is kept from stopping.
const MaxBlocks = 3

// Session is what the hook remembers of one conversation.
type Session struct {
	Blocks int `json:"blocks"`
	// StateHash is the [stateHash] at the last block.
	StateHash string `json:"standing"`
}

// Decision says whether an agent that wants to stop may do so.
type Decision struct {
	Block bool
	// Reason is what the agent is told if it is blocked.
	Reason string
	// Notice is what the user is told if the agent may stop although something is left to do.
	Notice string
	// Session is the state to save with [Sessions.Save].
	Session Session
}

// Decide decides whether the agent may stop. It may if nothing is left that it could do, if nothing
// has changed since it was told what is left, or if it was told [MaxBlocks] times.
func Decide(stop Stop, p ledger.Progress, s Session) Decision {
	allowed := Decision{Session: s}
	if p.LookedAt != nil && p.LookedAt.Nothing() {
		allowed.Notice = "reviewledger: passed, but no check ran and no reviewer was asked."
	}
	if stop.Excused || stop.Session == "" || p.State != ledger.ProgressOpen && p.State != ledger.ProgressUnreviewed {
		return allowed
	}
	hash := stateHash(p)
	switch {
	case s.Blocks >= MaxBlocks:
		allowed.Notice = fmt.Sprintf("reviewledger: not done (%s). The agent was told %d times in this session and may stop now.", counts(p), MaxBlocks)
		return allowed
	case s.StateHash == hash:
		allowed.Notice = fmt.Sprintf("reviewledger: not done (%s), and nothing has changed since the agent was told. It may stop.", counts(p))
		return allowed
	}
	return Decision{Block: true, Reason: reason(p), Session: Session{Blocks: s.Blocks + 1, StateHash: hash}}
}

// stateHash returns a hash that changes when the working tree or what is left to do changes.
func stateHash(p ledger.Progress) string {
	hash := sha256.New()
	say := func(parts ...any) {
		for _, part := range parts {
			_, _ = fmt.Fprintf(hash, "%v\x00", part)
		}
	}
	say(p.Tree, p.State, p.Reason, p.Run.ID, p.Iteration)
	for _, list := range [][]ledger.ListedViolation{p.Open, p.Unverified} {
		say(len(list))
		for _, v := range list {
			say(v.ID, v.Status, v.StatusAt.UnixNano(), v.Result)
		}
	}
	for _, list := range [][]ledger.Unresolved{p.Failing, p.Errors} {
		say(len(list))
		for _, u := range list {
			say(u.Job, u.Slot, u.Iteration)
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:16])
}

// counts returns how many findings, claims, checks and errors are left, in words.
func counts(p ledger.Progress) string {
	if p.Reason == ledger.LoopUnknown {
		return "the ledger does not have it, and the next run restores it from its files"
	}
	return text.OrElse(p.Counts(), "there are changes that no passing run covers")
}

// Limits of a reason.
const (
	maxReason = 600 // characters
	maxPlaces = 5
	maxPlace  = 80 // characters
)

// failed returns words that name the first failing check and quote the first line of its output
// that says what failed.
func failed(p ledger.Progress) string {
	if len(p.Failing) == 0 {
		return ""
	}
	check := p.Failing[0]
	first := text.FirstLine(strings.TrimLeft(check.Excerpt, " \t"), maxPlace)
	if first == "" {
		return ""
	}
	return fmt.Sprintf(" %s failed: %q.", text.Truncate(text.EscapeLine(check.Job), maxPlace), first)
}

// reason returns what the agent is told. It does not contain text of a reviewer, because the agent
// obeys it. A reviewer may invent a file name, so a place with blanks, which could be a sentence,
// is left out and only the ID is named.
func reason(p ledger.Progress) string {
	head := "The review loop of this repository is not done: " + counts(p) + "."
	next := p.Next
	if next == "" {
		next = ledger.CommandRun
	}
	steps := " Run `" + next + "`, wait for it to end, then go on with your task."
	unanswered, what := p.Unanswered(), "Open" // disputes wait for their reviewer
	switch {
	case p.Unexplained:
		unanswered, what = p.Unverified, "Unverified"
		steps = " A reviewer could not tell whether it is fixed: explain each in other words (`reviewledger mark ID fixed --result TEXT`) or skip it with a reason, run `" + next + "`, then go on with your task."
	case p.OnlyGone && next == ledger.CommandRun: // no iteration would execute the gate, whatever is fixed
		unanswered, what = slices.Concat(unanswered, p.Unverified), "Left"
		steps = " What is left is of gates that do not run here: configure them to run here, or skip their violations with a reason (`reviewledger mark ID skipped --result TEXT`), run `" + next + "`, then go on with your task."
	case len(unanswered) > 0:
		steps = " Fix each one or skip it with a reason, mark it (`reviewledger mark ID fixed|skipped --result TEXT`), run `" + next + "`, then go on with your task."
	}
	head += failed(p)
	var named []string
	left := maxReason - len([]rune(head)) - len([]rune(steps)) - len(" Unverified: ; and 1000000 more.")
	for _, v := range unanswered {
		name, place := text.EscapeLine(v.ShortID), text.EscapeLine(v.Place.String())
		if len([]rune(place)) <= maxPlace && !strings.ContainsFunc(place, unicode.IsSpace) {
			name += " " + place
		}
		size := len([]rune(name)) + len(", ")
		if len(named) == maxPlaces || size > left {
			continue
		}
		named, left = append(named, name), left-size
	}
	if len(named) == 0 {
		return head + steps
	}
	head += " " + what + ": " + strings.Join(named, ", ")
	if more := len(unanswered) - len(named); more > 0 {
		head += fmt.Sprintf("; and %d more", more)
	}
	return head + "." + steps
}

// Write writes the decision in the host's format: one JSON object, or nothing.
func (d Decision) Write(h Host, w io.Writer) error {
	var object any
	switch {
	case d.Block && h.Name == "cursor":
		object = struct {
			Message string `json:"followup_message"`
		}{d.Reason}
	case d.Block:
		word := "block"
		if h.Name == "gemini" {
			word = "deny"
		}
		object = struct {
			Decision string `json:"decision"`
			Reason   string `json:"reason"`
		}{word, d.Reason}
	case d.Notice != "" && h.notices:
		object = struct {
			Message string `json:"systemMessage"`
		}{d.Notice}
	default:
		return nil
	}
	return text.WriteJSON(w, object, "")
}
