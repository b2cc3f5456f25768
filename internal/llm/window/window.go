// Package window keeps a conversation within a model's context. It is pure: it computes numbers and
// messages from numbers and messages, calls no model and writes nothing.
//
// # Budgets
//
// A [Window] divides the context: the reserve for the reply, the size at which the conversation is
// shortened, the size to which it is shortened, and the share of one tool result. Tokens are
// estimated from characters ([Tokens], [Estimate]); a [Rate] for each model corrects the estimate
// by the server's counts, and ten percent are added for safety ([Window.Count]).
//
// # Making it shorter
//
// A [History] is a conversation with the index at which the open turn began. It is shortened in
// tiers, each oldest first and each only as far as necessary ([History.Shorten]). Beyond that
// ([History.SummaryDue]) a model can summarize the past ([History.Span], [Instruction],
// [History.WithSummary]), and as a last resort parts are dropped ([History.Drop]). Shortening is
// rare and deep, because each time costs the server's cache: in a chat at 4k about every sixth
// short turn, and every second time by a summary.
//
// The functions write three kinds of text. An old result is one line:
//
//	out:7 read_file main.go → 214 lines, ok: package main
//
// Old steps and earlier turns are lists, and a summary is one text, each as a message of role user in brackets:
//
//	[hob: steps so far (read_file path="out:N" shows all of a result):
//	- out:7 read_file main.go → 214 lines, ok: package main
//	- said: The port is in config.go.
//	- write_file config.go (2 arguments) → error: denied by the user]
//
// Each can be parsed again, so that a shortened conversation can be shortened further: adjacent
// lists become one, and their lines stay unchanged until earlier turns must shrink more. A new
// summary replaces the former ones; if none is made, former ones are joined.
//
// Invariants of every function that returns a History, for a legal conversation (see package llm) with Begin in it:
//   - the result is legal; a call is never parted from its result;
//   - the words at Begin are the same bytes, and nothing that came after them comes before them;
//   - what a person said in the open turn, a call without result, and a result that the model has not read yet stay as
//     they are, except that [History.Drop] may cut the middle out of the latter;
//   - a denial stays, as it is or as a line that says so; in the end Drop gives up those of earlier turns;
//   - the result is never longer than what was given, and the very same where that was short enough already;
//   - the messages that were given are not written to.
//
// A conversation without a message of role user at Begin is left as it is.
package window

import "math"

// Rate is the number of tokens that the server counts for each estimated one. 0 means unknown and
// counts as 1.
type Rate float64

// The bounds of a Rate, and the weight of one observation.
const (
	minRate  = 0.5
	maxRate  = 3
	learning = 0.3
	// fewTokens is too few to learn from, because most of them are the template around the
	// messages.
	fewTokens = 64
)

// Learn returns the rate after the server counted an estimated prompt: a moving average between 0.5
// and 3. A prompt of at most 64 tokens, estimated or counted, changes nothing.
func (r Rate) Learn(estimated, counted int) Rate {
	if estimated <= fewTokens || counted <= fewTokens {
		return r
	}
	seen := Rate(float64(counted) / float64(estimated)).clamped()
	if r == 0 || math.IsNaN(float64(r)) {
		return seen
	}
	r = r.clamped()
	return r + (seen-r)*learning
}

// clamped returns the rate within its bounds.
func (r Rate) clamped() Rate {
	if r == 0 || math.IsNaN(float64(r)) {
		return 1
	}
	return min(max(r, minRate), maxRate)
}

// Window is a model's context and its division.
type Window struct {
	Size    int  // tokens that the server really provides, perhaps fewer than requested
	Reserve int  // tokens kept for the reply
	Rate    Rate // of the model
}

// sizes are the context sizes for which the shares below are given. Between them values are
// interpolated, beyond them they are constant. Small models did well with these numbers; half of
// them are what other agents settled on.
func sizes() [4]int { return [4]int{4096, 8192, 16384, 32768} }

// at interpolates values given for sizes.
func (w Window) at(values [4]float64) float64 {
	s := sizes()
	if w.Size <= s[0] {
		return values[0]
	}
	for i := 1; i < len(s); i++ {
		if w.Size <= s[i] {
			part := float64(w.Size-s[i-1]) / float64(s[i]-s[i-1])
			return values[i-1] + part*(values[i]-values[i-1])
		}
	}
	return values[len(values)-1]
}

// sizeStep returns the value of the largest of sizes that is at most size, or the first.
func sizeStep(size int, values [4]int) int {
	v := values[0]
	for i, s := range sizes() {
		if size >= s {
			v = values[i]
		}
	}
	return v
}

// Count returns a safe prediction of the server's count for an estimate: the rate, plus ten
// percent.
func (w Window) Count(estimated int) int {
	return int(math.Ceil(float64(max(estimated, 0)) * w.perToken()))
}

// perToken is the factor of Count.
func (w Window) perToken() float64 { return float64(w.Rate.clamped()) * 1.1 }

// Room returns how many tokens a prompt may take: Size without Reserve, and at least a quarter of
// Size, because a reply of more than three quarters leaves no room for a question.
func (w Window) Room() int { return max(w.Size-w.Reserve, w.Size/4, 0) }

// Trigger returns the prompt tokens beyond which the conversation is shortened: 75 to 85 % of Room.
// In a small context the head is a larger part, so the trigger must be later: at 70 % of 4k a chat
// had room for eight short turns. A result of Share still fits above it.
func (w Window) Trigger() int { return int(float64(w.Room()) * w.at([4]float64{.85, .80, .75, .80})) }

// Target returns the prompt tokens to aim at when the conversation is shortened: 40 to 45 % of
// Room.
func (w Window) Target() int { return int(float64(w.Room()) * w.at([4]float64{.40, .40, .40, .45})) }

// Limits returns Trigger and Target for the messages alone, if system text and tools take head
// tokens (by Count). The head never becomes shorter, so a useful target depends on the messages and
// not on the prompt. It is at most half of trigger, so that the conversation takes as long to reach
// trigger again as it took to grow, which makes the loss of the server's cache worthwhile. It is at
// least a third of trigger, because shorter messages lose what the model works with; the plain
// percentages would leave nothing beside a head that takes most of Target.
func (w Window) Limits(head int) (trigger, target int) {
	head = max(head, 0)
	trigger = max(w.Trigger()-head, 0)
	return trigger, min(max(w.Target()-head, trigger/3), trigger/2)
}

// Recent returns how many tokens, by [Tokens], the newest earlier turns may keep unchanged: a fifth
// of what Limits leaves for messages. It is the value for [History].
func (w Window) Recent(head int) int {
	trigger, _ := w.Limits(head)
	return int(float64(trigger) / 5 / w.perToken())
}

// minShare is the least size in bytes of a result in the conversation, however small the context:
// less is useless.
const minShare = 400

// longestFence limits the first line of a fence, in bytes.
const longestFence = 280

// bytesPerToken is the ratio for tool results, between prose and JSON.
const bytesPerToken = 3.5

// Share returns how many bytes of one tool result stay in the conversation: 400 tokens at 4k up to
// 4000 at 32k, at 3.5 bytes a token and the rate, but at most what Trigger leaves of Room, so that
// a result just before Trigger still fits. It is at least 400 bytes.
func (w Window) Share() int {
	tokens := w.at([4]float64{400, 1000, 2000, 4000})
	tokens = min(tokens, float64(w.Room()-w.Trigger()))
	return max(int(tokens*bytesPerToken/float64(w.Rate.clamped())), minShare)
}

// Rounds returns how many of the newest tool rounds stay unchanged.
func (w Window) Rounds() int { return sizeStep(w.Size, [4]int{1, 2, 3, 4}) }

// Pictures returns how many pictures of one turn the model gets: they take at most a third of Room,
// but one is always allowed.
func (w Window) Pictures() int {
	if w.Size <= 0 {
		return maxPictures
	}
	return min(max(w.Room()/3/perImage, 1), maxPictures)
}

// maxPictures is enough for any context, because each picture costs the server seconds.
const maxPictures = 8

// OutputTokens returns how many tokens a reply may take in a context of this size: about a sixth,
// and never so many that the prompt suffers in a small context.
func OutputTokens(size int) int { return sizeStep(size, [4]int{768, 1536, 2048, 4096}) }
