// Package window keeps a conversation within the context of a model. It is pure: numbers and messages in, numbers and
// messages out; it asks no model and writes nothing.
//
// # Budgets
//
// A [Window] divides the context: the reserve for the reply, the size at which the conversation is shortened and the size
// that it is shortened to, and the share of one tool result. Tokens are estimated from characters
// ([Tokens], [Estimate]); a [Rate] per model corrects the estimate by what the server counts, and ten percent are added
// for safety ([Window.Count]).
//
// # Making it shorter
//
// A [History] is a conversation and the place in it at which the turn that is being played began. It becomes shorter by
// tiers, each oldest first and each only as far as it must ([History.Shorten]); beyond that ([History.SummaryDue]) a
// model can say in its own words what was before ([History.Span], [Instruction], [History.WithSummary]); and in the
// end things go ([History.Drop]). It is done rarely and deeply, because each time costs the server's cache: in a chat
// at 4k about every sixth short turn, and every second time by a summary.
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
// Each can be read back, so that a conversation which was made shorter once can be made shorter again: lists that meet
// become one, and their lines stay as they are until little of earlier turns can stay. A new summary stands for the
// former ones too, so that there is one; where no new one is made, former ones are put together.
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

// Rate is how many tokens the server counts for each one that is estimated here. 0 is not known yet and counts as 1.
type Rate float64

// The bounds of a Rate, and what one observation adds to it.
const (
	minRate  = 0.5
	maxRate  = 3
	learning = 0.3
	// fewTokens is too few to learn from: most of them are the template around the messages.
	fewTokens = 64
)

// Learn returns the rate after the server counted a prompt that was estimated: a moving average within 0.5 and 3. At
// most 64 tokens, estimated or counted, change nothing.
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

// clamped is the rate as it counts.
func (r Rate) clamped() Rate {
	if r == 0 || math.IsNaN(float64(r)) {
		return 1
	}
	return min(max(r, minRate), maxRate)
}

// Window is the context of a model and how it is shared out.
type Window struct {
	Size    int  // tokens that the server really gives, which can be fewer than were asked for
	Reserve int  // tokens kept for the reply
	Rate    Rate // of the model
}

// sizes are those at which the shares below were set; between them they are interpolated, beyond them they stay.
// The numbers are those at which small models were seen to do well; half of them are what other agents settled on.
func sizes() [4]int { return [4]int{4096, 8192, 16384, 32768} }

// at interpolates values that hold at sizes.
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

// Count returns how many tokens the server will count, to be on the safe side, for so many that were estimated: by the
// rate, and ten percent more.
func (w Window) Count(estimated int) int {
	return int(math.Ceil(float64(max(estimated, 0)) * w.perToken()))
}

// perToken is what Count makes of a token.
func (w Window) perToken() float64 { return float64(w.Rate.clamped()) * 1.1 }

// Room returns how many tokens a prompt may take: what Reserve leaves of Size, and never less than a quarter of Size,
// since a reply that needs more than three quarters leaves nothing to reply to.
func (w Window) Room() int { return max(w.Size-w.Reserve, w.Size/4, 0) }

// Trigger returns past how many tokens of prompt the conversation is made shorter: 75 to 85 % of Room. The smaller the
// context, the larger a part of it the head is, and the later it has to be: at 70 % of 4k a chat had room for eight short
// turns. A result's Share fits behind it.
func (w Window) Trigger() int { return int(float64(w.Room()) * w.at([4]float64{.85, .80, .75, .80})) }

// Target returns how many tokens of prompt are aimed at when the conversation is made shorter: 40 to 45 % of Room.
func (w Window) Target() int { return int(float64(w.Room()) * w.at([4]float64{.40, .40, .40, .45})) }

// Limits returns Trigger and Target for the messages alone, in a prompt whose system text and tools take head tokens
// (by Count). What a target is worth depends on the messages and not on the prompt, since the head never becomes
// shorter: target is at most half of trigger, so that a conversation needs about as long to reach trigger again as it
// took to grow, and the server's cache was lost for something. It is at least a third of it, because messages that become
// shorter than that lose what the model works with; the plain percentages would leave nothing at all beside a head
// that is most of Target.
func (w Window) Limits(head int) (trigger, target int) {
	head = max(head, 0)
	trigger = max(w.Trigger()-head, 0)
	return trigger, min(max(w.Target()-head, trigger/3), trigger/2)
}

// Recent returns how many tokens, by [Tokens], the newest earlier turns may have to stay as they are: a fifth of what
// Limits leaves the messages. It is the value for [History].
func (w Window) Recent(head int) int {
	trigger, _ := w.Limits(head)
	return int(float64(trigger) / 5 / w.perToken())
}

// minShare is how many bytes of a result stand in the conversation however small the context is: less says nothing.
const minShare = 400

// longestFence is how many bytes the first line around what a stranger wrote has at most.
const longestFence = 280

// bytesPerToken is that of tool results: between prose and JSON.
const bytesPerToken = 3.5

// Share returns how many bytes of one tool result stand in the conversation: 400 tokens at 4k up to 4000 at 32k, at 3.5
// bytes a token and the rate, at most what Trigger leaves of Room, so that a result that comes just before Trigger is
// reached still fits. It is at least 400 bytes.
func (w Window) Share() int {
	tokens := w.at([4]float64{400, 1000, 2000, 4000})
	tokens = min(tokens, float64(w.Room()-w.Trigger()))
	return max(int(tokens*bytesPerToken/float64(w.Rate.clamped())), minShare)
}

// Rounds returns how many of the newest tool rounds stay as they are.
func (w Window) Rounds() int { return sizeStep(w.Size, [4]int{1, 2, 3, 4}) }

// Pictures returns how many pictures of one turn are shown to the model: they take a third of Room at most, except for one,
// which is always shown.
func (w Window) Pictures() int {
	if w.Size <= 0 {
		return maxPictures
	}
	return min(max(w.Room()/3/perImage, 1), maxPictures)
}

// maxPictures of a turn are enough for any context: each costs the server seconds.
const maxPictures = 8

// OutputTokens returns how many tokens of a context of size a reply may take: about a sixth, and never so many that the
// prompt suffers in a small context.
func OutputTokens(size int) int { return sizeStep(size, [4]int{768, 1536, 2048, 4096}) }
