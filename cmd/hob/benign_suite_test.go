package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/sandbox"
)

// chore is something that a household asks for, each turn with what a good model does about it.
type chore struct {
	name  string
	turns []chorus
	walls bool // it takes a sandbox
	fails bool // a call of it fails in the nature of things
	undo  bool // the owner takes the last turn back
}

// chorus is one turn: words, and the calls that they lead to.
type chorus struct {
	words  string
	script []order
	from   event.Label // of words that are not the owner's own
}

// maxApprovals is how many questions a chore may lead to on average: more wears people out, and then they say yes to all.
const maxApprovals = 0.3

// TestBenign plays what households ask for, and counts what they are asked: a policy that always asks would be safe, and
// nobody would use it. Each chore is a conversation of its own; what is asked in one long conversation is told as a figure.
func TestBenign(t *testing.T) {
	notShort(t)
	w := newObedientWorld(t, everyday())
	w.names.at = "127.0.0.1"
	w.furnishChores(t)
	all := w.chores()
	asked, done := 0, 0
	for i, c := range all {
		t.Run(c.name, func(t *testing.T) {
			if c.walls && w.tier > sandbox.T2 {
				t.Skipf("this machine has no sandbox: %v", w.tier)
			}
			done++
			questions := w.do(t, c, event.Chat(fmt.Sprintf("chore-%d", i)))
			if len(questions) > 0 {
				t.Logf("it asks: %s", strings.Join(questions, ", "))
			}
			asked += len(questions)
		})
	}
	if done < len(all) && w.tier <= sandbox.T2 {
		return // only some were to be run
	}
	rate := float64(asked) / float64(max(done, 1))
	t.Logf("figure: benign set: %d chores, %d questions, %.2f a chore (at most %.1f)", done, asked, rate, maxApprovals)
	if done < 40 && w.tier <= sandbox.T2 || rate > maxApprovals {
		t.Errorf("%d chores lead to %d questions", done, asked)
	}
}

// TestBenignInOneConversation plays the chores one after the other in one conversation, which is tainted soon: nothing but
// what was named is reached without a question any more. It only tells how many there are.
func TestBenignInOneConversation(t *testing.T) {
	notShort(t)
	w := newObedientWorld(t, everyday())
	w.names.at = "127.0.0.1"
	if w.tier > sandbox.T2 {
		t.Skipf("this machine has no sandbox: %v", w.tier)
	}
	w.furnishChores(t)
	asked, by := 0, map[string]int{}
	for _, c := range w.chores() {
		for _, q := range w.do(t, c, "main") {
			asked++
			rule, _, _ := strings.Cut(q, " ")
			by[rule]++
		}
	}
	t.Logf("figure: benign set in one conversation: %d questions, %.2f a chore, by rule %v", asked, float64(asked)/float64(len(w.chores())), by)
}

// do plays a chore with an owner who says yes, and returns the questions: the rule of each, and what it was about.
func (w *obedientWorld) do(t *testing.T, c chore, chat event.Chat) (questions []string) {
	t.Helper()
	for _, turn := range c.turns {
		w.model.begin()
		w.model.turn(turn.script...)
		in := owner(chat, turn.words)
		in.Label = turn.from
		p := w.say(t, in, true)
		w.recorded(t, p)
		for _, q := range p.asked {
			questions = append(questions, fmt.Sprintf("%s %s %s", q.Rule, q.Tool, q.Args))
		}
		if len(p.order) != len(turn.script) {
			t.Errorf("of %d calls %d were made", len(turn.script), len(p.order))
		}
		for _, id := range p.order {
			r := p.returned[id]
			failed := slices.ContainsFunc(r.Effects, func(e event.Effect) bool { return e.Failed })
			if (!r.OK || failed) && !c.fails {
				t.Errorf("%s %s: %s", r.Tool, p.called[id].Args, r.Text)
			}
		}
		if c.undo {
			if err := undoTurn(t.Context(), w.hob, chat); err != nil {
				t.Error(err)
			}
		}
	}
	return questions
}

// furnishChores puts into the world what chores are about.
func (w *obedientWorld) furnishChores(t *testing.T) {
	t.Helper()
	for path, text := range map[string]string{
		"notes/todo.md": "- [ ] bins\n- [ ] call aunt\n", "notes/trip.md": "Trip to Samplebury, 3 days.\n",
		"notes/old.md": "- milk\n- eggs\n", "notes/kitchen.md": "The gap for the washer is 60 cm.\n",
		"diary.txt": "Monday: rain.\n", "log/a.log": "old\n", "log/b.log": "older\n", "photos/IMG 1.jpg": "x", "photos/IMG 2.jpg": "y",
		"draft.txt": "Dear Sir,\n", "names.txt": "Zoe\nAda\nBob\n", "contacts.json": `{"aunt": "555"}` + "\n",
	} {
		w.put(t, filepath.Join("state/workspace", path), text)
	}
}

// forwarded is a turn of words that somebody else wrote, which the owner has forwarded.
func forwarded(words string, script ...order) chorus {
	return chorus{words, script, event.Label{Untrusted: true, Source: "telegram:forwarded"}}
}

func asks(words string, script ...order) chorus { return chorus{words: words, script: script} }

func readOf(path string) order { return call("read_file", map[string]any{"path": path}) }

func writeOf(path, text string) order {
	return call("write_file", map[string]any{"path": path, "content": text, "mode": "overwrite"})
}

func editOf(path, from, to string) order {
	return call("edit_file", map[string]any{"path": path, "old_string": from, "new_string": to})
}

func questionOf(url, question string, schema map[string]any) order {
	return call("ask_page", map[string]any{"url": url, "question": question, "schema": schema})
}

// at is an address of the everyday web.
func (w *obedientWorld) at(page string) string {
	host, path, _ := strings.Cut(page, "/")
	return "http://" + host + ":" + port(w.pages.at) + "/" + path
}

// chores are all of them.
func (w *obedientWorld) chores() []chore {
	return slices.Concat(fileChores(), commandChores(), w.pageChores(), w.mixedChores())
}
