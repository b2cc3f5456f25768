package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/receipt"
	"hob/internal/tools"
)

// trades are tools that do nothing and report what they would have done. The name of the path or of the
// command decides how a call ends.
func trades() []tools.Tool {
	type in struct {
		Path    string `json:"path,omitempty"`
		Command string `json:"command,omitempty"`
		To      string `json:"to,omitempty"`
		URL     string `json:"url,omitempty"`
	}
	tool := func(name string, powers tools.Capabilities, run func(in) []event.Effect) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: name, Capabilities: powers}, func(_ context.Context, a in) (tools.Result, error) {
			switch what := a.Path + a.Command + a.To + a.URL; {
			case strings.Contains(what, "full"):
				return tools.Result{}, &tools.Error{Type: event.TypeStorage, Code: event.CodeExecutionFailed, Message: "the disk is full"}
			case strings.Contains(what, "slow"):
				return tools.Result{}, &tools.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "it took too long"}
			}
			return tools.Result{Text: "ok", Effects: run(a)}, nil
		})
	}
	file := func(kind string, n int64) func(in) []event.Effect {
		return func(a in) []event.Effect {
			return []event.Effect{{Kind: kind, Target: a.Path, Path: "/w/" + a.Path, Bytes: n, Sum: strings.Repeat("5", int(n))}}
		}
	}
	command := func(a in) []event.Effect {
		e := event.Effect{Kind: "ran", Target: a.Command, Detail: "exit status 0"}
		switch {
		case strings.HasPrefix(a.Command, "bad"):
			e.Detail, e.Status, e.Failed = "exit status 127", 127, true
		case strings.HasPrefix(a.Command, "half"):
			e.Detail, e.Status, e.Failed = "exit status 2; created 1 file", 2, true
		case strings.HasPrefix(a.Command, "sleep"):
			e.Detail, e.Failed = "killed after 10s: out of time", true
		case strings.HasPrefix(a.Command, "serve"):
			e.Detail = "process 1"
		}
		return []event.Effect{e}
	}
	fetch := func(a in) []event.Effect {
		status := 200
		if strings.HasSuffix(a.URL, "gone") {
			status = 404
		}
		return []event.Effect{{Kind: "fetched", Target: strings.TrimPrefix(a.URL, "https://"), Status: status, Bytes: 9, Failed: status == 404}}
	}
	return []tools.Tool{
		tool("read_file", tools.Reads, func(in) []event.Effect { return nil }), tool("fetch", tools.Reads|tools.Sends, fetch),
		tool("write_file", tools.Writes, file("wrote", 3)), tool("edit_file", tools.Writes, file("edited", 4)),
		tool("move_file", tools.Writes, func(a in) []event.Effect {
			return []event.Effect{{Kind: "moved", Target: a.To, From: a.Path, Path: "/w/" + a.To, Bytes: 3, Sum: "555"}}
		}),
		tool("copy_file", tools.Writes, func(a in) []event.Effect {
			return []event.Effect{{Kind: "copied", Target: a.To, From: a.Path, Path: "/w/" + a.To, Bytes: 3, Sum: "555"}}
		}),
		tool("make_folder", tools.Writes, func(a in) []event.Effect {
			return []event.Effect{{Kind: "made", Target: a.Path, Path: "/w/" + a.Path}}
		}),
		tool("delete_file", tools.Writes, file("deleted", 0)), tool("undo", tools.Writes, file("restored", 0)),
		tool("run_command", tools.Executes, command), tool("note", tools.Writes, func(in) []event.Effect { return nil }),
		tool("send_mail", tools.Sends, func(a in) []event.Effect { return []event.Effect{{Kind: "sent", Target: a.To}} }),
	}
}

// strict denies calls whose arguments name a secret.
func strict(ctx context.Context, _ tools.Tool, c llm.Call) (context.Context, error) {
	if strings.Contains(string(c.Args), "secret") {
		return nil, agenttest.Denial("denied", "private-data")
	}
	return ctx, nil
}

// Calls that the liars make.
const (
	writeNotes  = `call write_file {"path":"notes.md"}` + "\n"
	writeFull   = `call write_file {"path":"full.md"}` + "\n"
	writeSlow   = `call write_file {"path":"slow.md"}` + "\n"
	writeSecret = `call write_file {"path":"secret.md"}` + "\n"
	readNotes   = `call read_file {"path":"notes.md"}` + "\n"
	editNotes   = `call edit_file {"path":"notes.md"}` + "\n"
	dropNotes   = `call delete_file {"path":"notes.md"}` + "\n"
	moveNotes   = `call move_file {"path":"notes.md","to":"old/notes.md"}` + "\n"
	copyNotes   = `call copy_file {"path":"notes.md","to":"old.md"}` + "\n"
	makeFolder  = `call make_folder {"path":"old/"}` + "\n"
	undoNotes   = `call undo {"path":"notes.md"}` + "\n"
	badCommand  = `call run_command {"command":"bad"}` + "\n"
	killed      = `call run_command {"command":"sleep 99"}` + "\n"
	mailBob     = `call send_mail {"to":"bob"}` + "\n"
	mailSecret  = `call send_mail {"to":"secret"}` + "\n"
)

// TestLiars plays models that make a false claim twice, and some that tell the truth. In each turn
// the receipt is exact, and a false claim is marked.
func TestLiars(t *testing.T) {
	for _, c := range []struct {
		name, calls, says string
		mark, line        string // "" is none
	}{
		{"done and nothing called", "", "I have saved it to notes.md.", "nothing was written in this turn", ""},
		{"done and nothing called, de", "", "Ich habe die Datei shop.md gelöscht.", "nothing was deleted in this turn", ""},
		{"done and nothing called, ru", "", "Я отправил сообщение.", "nothing was sent in this turn", ""},
		{"done and nothing called, zh", "", "我已经执行了命令。", "no command was run in this turn", ""},
		{"deleted and nothing called", "", "I have deleted the file.", "nothing was deleted in this turn", ""},
		{"sent and nothing called", "", "Done. I've emailed it to Bob.", "nothing was sent in this turn", ""},
		{"ran and nothing called", "", "I ran the command and it printed 42.", "no command was run in this turn", ""},
		{"changed and nothing called", "", "I have updated the settings.", "nothing was changed in this turn", ""},
		{"two lies at once", "", "I have saved it to notes.md and sent it to Bob.", "nothing was written or sent in this turn", ""},
		{"the same lie twice", "", "I saved it. I have saved it to a.md.", "nothing was written in this turn", ""},
		{"in the passive voice", "", "The event has been created.", "nothing was written in this turn", ""},
		{"in the passive voice, zh", "", "文件已删除。", "nothing was deleted in this turn", ""},
		{"read and nothing more", readNotes, "I have saved notes.md.", "nothing was written in this turn", ""},
		{"read and nothing more, ru", readNotes, "Я сохранил файл.", "nothing was written in this turn", ""},
		{"fetched and nothing more", `call fetch {"url":"https://example.org/x"}` + "\n", "I have saved the page to x.html.", "nothing was written in this turn", "fetched example.org/x (200)"},

		{"moved", moveNotes, "I have moved notes.md to old/notes.md.", "", "moved notes.md to old/notes.md (3 B)"},
		{"moved, in other words", moveNotes, "I have created old/notes.md and deleted notes.md.", "", "moved notes.md to old/notes.md (3 B)"},
		{"copied", copyNotes, "I have copied notes.md to old.md.", "", "copied notes.md to old.md (3 B)"},
		{"copied, and said to be gone", copyNotes, "I have deleted notes.md.", "nothing was deleted in this turn", "copied notes.md to old.md (3 B)"},
		{"made a folder", makeFolder, "I have created the folder old.", "", "made old/"},
		{"moved another", moveNotes, "I have moved shop.md to the archive.", "shop.md was not changed in this turn; old/notes.md and notes.md were", "moved notes.md to old/notes.md (3 B)"},
		{"moved and not sent", moveNotes, "I have sent notes.md.", "nothing was sent in this turn", "moved notes.md to old/notes.md (3 B)"},

		{"the call failed", writeFull, "I have saved it to full.md.", "nothing was written in this turn: the call of write_file failed", "write_file failed: full.md (the disk is full)"},
		{"the call failed, de", writeFull, "Gespeichert.", "nothing was written in this turn: the call of write_file failed", "write_file failed: full.md (the disk is full)"},
		{"the call failed, passive", writeFull, "The file has been saved.", "nothing was written in this turn: the call of write_file failed", "write_file failed: full.md (the disk is full)"},
		{"the call timed out", writeSlow, "I have saved it to slow.md.", "the call of write_file was cut short", "write_file timed out: slow.md"},
		{"the command failed", badCommand, "I have created the file.", "the command failed", "command failed (127)"},
		{"the command failed, well", badCommand, "I ran the command successfully.", "the command failed", "command failed (127)"},
		{"the command failed, well, passive", badCommand, "The command completed successfully.", "the command failed", "command failed (127)"},
		{"the command failed, zh", badCommand, "命令执行成功。", "the command failed", "command failed (127)"},
		{"the command failed, and it is said that it sent", badCommand, "I have sent it to Bob.", "the command failed", "command failed (127)"},
		{"two commands failed", badCommand + `call run_command {"command":"bad 2"}` + "\n", "I have deleted the folder.", "the commands failed", `command "bad" failed (127) · command "bad 2" failed (127)`},
		{"a command out of time has a result", killed, "I ran the script and it printed 42.", "the command failed", "command failed (killed after 10s: out of time)"},
		{"a command out of time, not a word of it", killed, "I ran the script.", "the command failed", "command failed (killed after 10s: out of time)"},
		{"a command out of time, ru", killed, "Я успешно выполнил команду.", "the command failed", "command failed (killed after 10s: out of time)"},
		{"a command in the background", `call run_command {"command":"serve"}` + "\n", "I have saved the result to out.txt.", "the command in the background had not ended", `started "serve" in the background (process 1)`},
		{"a failed command that left another thing", `call run_command {"command":"half"}` + "\n", "I have deleted the file.", "the command failed", "command failed (2; created 1 file)"},
		{"the mail failed", `call send_mail {"to":"full"}` + "\n", "I sent it to Bob.", "nothing was sent in this turn: the call of send_mail failed", "send_mail failed: full (the disk is full)"},
		{"the page was not there", `call fetch {"url":"https://example.org/gone"}` + "\n", "I have submitted it.", "nothing was sent in this turn", "fetched example.org/gone (404)"},
		{"does not fit", `call write_file {"path":{"a":1}}` + "\n", "I have saved it to notes.md.", "nothing was written in this turn", "write_file failed (the call does not fit)"},

		{"denied", writeSecret, "I have saved it to secret.md.", "nothing was written in this turn: the call of write_file was denied", "write_file denied: secret.md (private-data)"},
		{"denied, ru", mailSecret, "Сообщение отправлено.", "nothing was sent in this turn: the call of send_mail was denied", "send_mail denied: secret (private-data)"},
		{"denied twice", mailSecret + mailSecret, "I have sent it.", "nothing was sent in this turn: the call of send_mail was denied", "send_mail denied: secret (private-data)"},
		{"denied command", `call run_command {"command":"cat secret"}` + "\n", "I ran the command.", "no command was run in this turn: the call of run_command was denied", "run_command denied (private-data)"},
		{"a page that may not be asked for", `call fetch {"url":"https://secret.example/x"}` + "\n", "I have published it.", "nothing was sent in this turn: the call of fetch was denied", "fetch denied: https://secret.example/x (private-data)"},
		{"a read that may not be", `call read_file {"path":"secret.md"}` + "\n", "I may not read that.", "", ""},

		{"wrong file", writeNotes, "I have saved it to shop.md.", "nothing was written to shop.md in this turn; notes.md was", "wrote notes.md (3 B)"},
		{"wrong file, de", writeNotes, "Ich habe die Liste in shop.md gespeichert.", "nothing was written to shop.md in this turn; notes.md was", "wrote notes.md (3 B)"},
		{"wrong file, zh", writeNotes, "已保存到shop.md。", "nothing was written to shop.md in this turn; notes.md was", "wrote notes.md (3 B)"},
		{"wrong file deleted", dropNotes, "I have deleted Shop.md.", "Shop.md was not deleted in this turn; notes.md was", "deleted notes.md"},
		{"wrong file changed", editNotes, "I have updated shop.md.", "shop.md was not changed in this turn; notes.md was", "edited notes.md (4 B)"},
		{"wrong files", writeNotes + `call write_file {"path":"b.md"}` + "\n", "I have saved x.md and y.md.", "nothing was written to x.md and y.md in this turn; notes.md and b.md were", "wrote notes.md (3 B) · wrote b.md (3 B)"},
		{"half of two done", writeNotes, "I have saved notes.md and shop.md.", "nothing was written to shop.md in this turn; notes.md was", "wrote notes.md (3 B)"},
		{"half of two done, the other failed", writeNotes + writeFull, "I have saved notes.md and full.md.", "nothing was written to full.md in this turn; notes.md was", "wrote notes.md (3 B) · write_file failed: full.md (the disk is full)"},
		{"written, and said to be sent", writeNotes, "I have saved notes.md and sent it to Bob.", "nothing was sent in this turn", "wrote notes.md (3 B)"},
		{"written, and said to be deleted", writeNotes, "I have deleted the file.", "nothing was deleted in this turn", "wrote notes.md (3 B)"},
		{"written, and said to have run", writeNotes, "I ran the script.", "no command was run in this turn", "wrote notes.md (3 B)"},
		{"edited, and said to be deleted", editNotes, "I have deleted notes.md.", "nothing was deleted in this turn", "edited notes.md (4 B)"},
		{"deleted, and said to be written", dropNotes, "I have saved it to notes.md.", "nothing was written in this turn", "deleted notes.md"},
		{"sent, and said to be saved", mailBob, "I have sent it and saved a copy.", "nothing was written in this turn", "sent bob"},
		{"done and undone", writeNotes + dropNotes, "I have saved it to notes.md.", "notes.md was written in this turn and taken back", "wrote and deleted notes.md"},
		{"done and put back", editNotes + undoNotes, "I have added the line.", "notes.md was written in this turn and taken back", "edited and restored notes.md"},
		{"a file of an odd name", `call write_file {"path":"a\u202eb; c"}` + "\n", "I have saved it to b.md.", "nothing was written to b.md in this turn; \"a\\u{202e}b; c\" was", `wrote "a\u{202e}b; c" (3 B)`},

		{"no lie: written", writeNotes, "I have saved it to notes.md.", "", "wrote notes.md (3 B)"},
		{"no lie: under its full name", `call write_file {"path":"a/My Notes.md"}` + "\n", "I have saved it to `/w/a/My Notes.md`.", "", `wrote "a/My Notes.md" (3 B)`},
		{"no lie: the line removed", editNotes, "I have removed the milk from notes.md.", "", "edited notes.md (4 B)"},
		{"no lie: written and sent", writeNotes + mailBob, "I have saved notes.md and sent it to Bob.", "", "wrote notes.md (3 B) · sent bob"},
		{"no lie: written and deleted", writeNotes + dropNotes, "I created notes.md and deleted it again.", "", "wrote and deleted notes.md"},
		{"no lie: it failed", writeFull, "I could not save it: the disk is full.", "", "write_file failed: full.md (the disk is full)"},
		{"no lie: a command did it", `call run_command {"command":"mv a b"}` + "\n", "I have renamed a.md to b.md and deleted c.md.", "", `ran "mv a b"`},
		{"no lie: it was run and failed", badCommand, "I ran the command.", "", "command failed (127)"},
		{"no lie: it was run and killed", killed, "I ran the script. It was killed after 10 seconds.", "", "command failed (killed after 10s: out of time)"},
		{"no lie: a failed command left it", `call run_command {"command":"half"}` + "\n", "I have created the file.", "", "command failed (2; created 1 file)"},
		{"no lie: nobody knows what it did", `call note {"path":"a"}` + "\n", "I have saved it and sent it to Bob.", "", ""},
		{"no lie: it was done before", readNotes, "I saved it to shop.md earlier.", "", ""},
		{"no lie: it was read", readNotes, "The backup has been deleted, according to notes.md.", "", ""},
		{"no lie: it is a quotation", readNotes, "It says \"I have deleted the file\".", "", ""},
		{"no lie: at the second try", writeFull + writeNotes, "I have saved it to notes.md.", "", "write_file failed: full.md (the disk is full) · wrote notes.md (3 B)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := llm.NewScript(steps(t, c.calls+"say "+c.says+"\nagain")...)
			var out agenttest.Collector
			words, err := agent.New(script, permits(strict), nil, nil, agenttest.Clock()).Run(t.Context(), asked(trades()...), out.Emit)
			if err != nil {
				t.Fatal(err)
			}
			want, objections := c.says, 0
			if c.mark != "" {
				want, objections = want+"\n\n[hob: "+c.mark+".]", 1
			}
			if diff := cmp.Diff(want, words); diff != "" {
				t.Errorf("the words: %s", diff)
			}
			turn := receipt.New(func(name string) bool {
				return slices.ContainsFunc(trades(), func(tool tools.Tool) bool { return tool.Name() == name && agent.NeedsReceipt(tool) })
			})
			nudged := 0
			for _, b := range out.Bodies {
				turn = turn.Add(b)
				if n, ok := b.(event.Nudged); ok && n.Why == event.ForClaimed {
					nudged++
				}
			}
			if diff := cmp.Diff(c.line, turn.Line(receipt.Language{}, nil)); diff != "" {
				t.Errorf("the line: %s", diff)
			}
			if nudged != objections {
				t.Errorf("it was objected %d times, want %d", nudged, objections)
			}
		})
	}
}

// Of a call that the end of the process cut short nobody knows whether it was done.
func TestALieAboutWhatWasCutShort(t *testing.T) {
	call := llm.CallOf(1, "write_file", map[string]string{"path": "notes.md"})
	turn, did := asked(trades()...), receipt.Turn{}
	for _, b := range []event.Body{
		event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call}}, Class: "calls"},
		event.Called{ID: call.ID, Tool: call.Name, Args: call.Args}, event.Started{CallID: call.ID}, agent.Interrupted(call),
	} {
		turn.Progress, did = turn.Progress.Add(b), did.Add(b)
		if m, ok := event.Message(b); ok {
			turn.History = append(turn.History, m)
		}
	}
	var out agenttest.Collector
	words, err := agent.New(llm.NewScript(llm.Say("I have saved it."), llm.Say("I have saved it.")), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit)
	if want := "I have saved it.\n\n[hob: the call of write_file was cut short.]"; err != nil || words != want {
		t.Errorf("Run = %q, %v; want %q", words, err, want)
	}
	if diff := cmp.Diff("write_file interrupted: notes.md", did.Line(receipt.Language{}, nil)); diff != "" {
		t.Error(diff)
	}
}

// However a turn ends, the false claims in the words that it keeps of the model are marked.
func TestALieIsMarkedHoweverTheTurnEnds(t *testing.T) {
	const lie = "I have saved it to notes.md."
	for name, script := range map[string]string{
		"cut off":        "cut " + lie,
		"out of budget":  "call read_file {\"path\":\"1\"}\ncall read_file {\"path\":\"2\"}\nsay " + lie,
		"given up":       "break " + lie + "\nagain",
		"said as it was": "say " + lie + "\nagain",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				turn := asked(trades()...)
				turn.Budget.Calls = 2
				var out agenttest.Collector
				words, err := agent.New(llm.NewScript(steps(t, script)...), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit)
				if err != nil || strings.Count(words, lie) != 1 || strings.Count(words, "[hob: nothing was written in this turn.]") != 1 {
					t.Errorf("Run = %q, %v", words, err)
				}
			})
		})
	}
}
