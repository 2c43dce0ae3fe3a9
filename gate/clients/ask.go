package clients

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
)

// Outcome is what one slot got from its reviewer.
type Outcome struct {
	Answer Answer
	// Replies are those of the calls that were made, in order. After an error
	// the last is that of the call that failed.
	Replies []Reply
}

// Usage returns the usage of all calls together.
func (o Outcome) Usage() Usage {
	var sum Usage
	for _, r := range o.Replies {
		sum = sum.Add(r.Usage)
	}
	return sum
}

// Duration returns how long the calls took together.
func (o Outcome) Duration() time.Duration {
	var sum time.Duration
	for _, r := range o.Replies {
		sum += r.Duration
	}
	return sum
}

// Ask puts the prompts of one slot to its reviewer, one after the other, and
// merges the answers. The call serves as a pattern: its prompt is replaced.
//
// One part without an answer leaves the slot without one, so every error is
// final: a *[CallError], or an *[AnswerError] if the reviewer answered with
// something that is not a valid answer: other text, a fail that lists nothing, or a copy
// of the prompt. If there are several prompts, the error says which one.
func Ask(ctx context.Context, reviewer Reviewer, prompts []Prompt, call Call) (Outcome, error) {
	var outcome Outcome
	var answers []Answer
	if len(prompts) == 0 {
		return outcome, &AnswerError{Reason: "nothing was asked", Offset: -1, Invalid: -1}
	}
	for i, prompt := range prompts {
		if call.Before != nil {
			if err := call.Before(outcome.Replies); err != nil {
				return outcome, err
			}
		}
		call.Prompt, call.input = prompt.Text, prompt.input
		reply, answer, err := askOne(ctx, reviewer, call, prompt.Fence)
		outcome.Replies = append(outcome.Replies, reply)
		if err != nil {
			if len(prompts) > 1 {
				err = fmt.Errorf("part %d of %d: %w", i+1, len(prompts), err)
			}
			return outcome, err
		}
		answers = append(answers, answer)
	}
	outcome.Answer = MergeAnswers(answers)
	return outcome, nil
}

func askOne(ctx context.Context, reviewer Reviewer, call Call, fence string) (Reply, Answer, error) {
	reply, err := reviewer.Review(ctx, call)
	if err != nil {
		return reply, Answer{}, err
	}
	answer, err := readReply(reply.Text, fence)
	if err == nil {
		return reply, answer, nil
	}
	// Some clients print their refusal as if it were the answer.
	if words := limitIn(reply.Text, reply.Stderr, call.Prompt); words != "" {
		err = refusal(words)
	}
	return reply, Answer{}, err
}

// refusal is the error that the words speak of, which a client printed in place
// of an answer.
func refusal(words string) error {
	return judge(process.Result{}, answer{fault: &fault{message: words}}, time.Now())
}

// readReply parses a reply, and refuses what is an answer in form only.
func readReply(text, fence string) (Answer, error) {
	if fence != "" && strings.Contains(text, fence) {
		// The data under review may hold anything, answers too.
		return Answer{}, &AnswerError{Reason: "the answer repeats the prompt", Offset: strings.Index(text, fence), Invalid: -1}
	}
	answer, err := ParseAnswer(text)
	if err == nil && answer.Unexplained {
		err = &AnswerError{Reason: "the status is fail, and no violation is listed", Offset: -1, Invalid: -1}
	}
	return answer, err
}
