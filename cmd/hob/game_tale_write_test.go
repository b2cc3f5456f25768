package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/campaigns"
	"hob/internal/llm/ollama/ollamafake"
)

// keeper is a model that writes a tale well, by the first property that it is asked for. The first of its keys lies behind its own door.
func keeper() ollamafake.Step {
	asked := 0
	return ollamafake.Choose(func(r ollamafake.Request) ollamafake.Step {
		var form struct{ Required []string }
		if err := json.Unmarshal(r.Format, &form); err != nil || len(form.Required) == 0 || len(r.Tools) > 0 {
			return ollamafake.Say("There is no form to fill.")
		}
		switch form.Required[0] {
		case "title":
			return ollamafake.Say(`{"title":"Two Keys to One Lamp","pitch":"A lighthouse keeper's marriage ends tonight, and somebody has to carry the papers.",
			"opening":"The launch sets you down on the rock with a leather case and no umbrella. Up in the gallery a lamp turns. Down in the kitchen nobody speaks.",
			"goal":"Bring Agnes the ring, and learn from Thomas why he will not sign.","situation":"The papers are drawn up, and neither of them has signed.",
			"style":"Dry, tender, precise.","weather":"rain from the west","time":"evening","hero":"Wren","role":"solicitor's clerk",
			"hero_line":"You carry papers for other people, and read none of them.","danger":"the last launch","too_late":"The launch leaves, and the papers get wet on the step."}`)
		case "places":
			return ollamafake.Say(`{"places":[
			{"name":"The Landing","kind":"water","desc":"Iron rungs and green water. A lantern swings on its hook."},
			{"name":"The Kitchen","kind":"room","desc":"Two chairs stand as far apart as the walls allow. The stove is warm."},
			{"name":"The Gallery","kind":"tower","desc":"The lens turns slowly above your head. You see the whole bay."},
			{"name":"The Oil Store","kind":"cave","desc":"Barrels, and a cold that smells of fish. A shelf is empty but for dust."}]}`)
		case "people":
			return ollamafake.Say(`{"people":[
			{"name":"Agnes","at":"The Kitchen","desc":"A tall woman who folds the same cloth again and again.","wants":"Her ring, and nothing else from this rock."},
			{"name":"Thomas","at":"Gallery","desc":"The keeper, unshaven, with oil on his cuffs.","wants":"To be asked once before it is over."}]}`)
		case "locks":
			if asked++; asked == 1 {
				return ollamafake.Say(`{"locks":[{"to":"The Oil Store","key":"store key","key_desc":"Black iron, and cold.","opens":"The door gives with a sigh.","from":"The Oil Store"}]}`)
			}
			return ollamafake.Say(`{"locks":[{"to":"The Oil Store","key":"store key","key_desc":"Black iron, and cold.","opens":"The door gives with a sigh.","from":"Thomas"}]}`)
		case "goals":
			return ollamafake.Say(`{"goals":[
			{"do":"give","text":"Give Agnes the ring","what":"wedding ring","detail":"Thin gold, worn on one side.","done":"Agnes closes her hand, and does not look.","at":"The Landing","person":"Agnes"},
			{"do":"learn","text":"Learn why Thomas does not sign","what":"signature","detail":"Thomas never learned to write, and Agnes has signed for both of them for twenty years.","done":"Now you know whose hand it was.","at":"The Gallery","person":"Thomas"}],
			"ending":"Agnes puts the ring into her pocket and not on her hand. Then she takes the pen, and signs twice, as she always has."}`)
		}
		lines := map[string]string{}
		for _, name := range form.Required {
			lines[name] = "It is late, and you are wet. Sit down for a moment and ask me that again."
		}
		raw, _ := json.Marshal(lines)
		return ollamafake.Say(string(raw))
	})
}

// A model writes a tale: what it gets wrong is asked for again, what it wrote is said wherever the tale is listed or checked, and the
// tale is played to its end.
func TestTaleWrite(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(keeper()))
	h := newHouse(t, fake.URL())
	out, status := h.run("", "game", "tale", "write", "a lighthouse keeper's divorce", "--model", "tiny:1b")
	if status != 0 {
		t.Fatalf("%d: %s", status, out)
	}
	for _, want := range []string{
		"story ...\n", "places ...\n", "people ...\n", "locks ...\n    that cannot be used, and is asked for again: locks[0].from is The Oil Store, and nobody gets there without this key",
		"goals ...\nbeats of Agnes ...\nbeats of Thomas ...\n", "lighthouse-keepers is there: Two Keys to One Lamp\n",
		"of lighthouse-keepers.en.txt were written by a model, tiny:1b.\n", "It is proven that it can be won",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in:\n%s", want, out)
		}
	}
	for _, r := range fake.Requests() {
		if len(r.Format) == 0 || r.Think != "false" {
			t.Errorf("a question has no form, or lets the model think: %s", r.Body)
		}
	}
	if out, _ := h.run("", "game", "tale", "list"); !strings.Contains(out, "lighthouse-keepers  Two Keys to One Lamp (en), written by a model\n") {
		t.Error(out)
	}
	if out, status := h.run("", "game", "tale", "check", "lighthouse-keepers", "--replay"); status != 0 || !strings.Contains(out, "were written by a model, tiny:1b.\n\nIt can be won in ") {
		t.Errorf("%d: %s", status, out)
	}
	var checked campaigns.Tale
	if out, _ := h.run("", "game", "tale", "check", "lighthouse-keepers", "--json"); json.Unmarshal([]byte(out), &checked) != nil || len(checked.Written) != 1 || checked.Written[0].Model != "tiny:1b" {
		t.Error(out)
	}
	played := "go to the kitchen\ngo to the gallery\ntalk to Thomas\nask Thomas about the store key\nask Thomas about the signature\ngo to the kitchen\ngo to the oil store\ntake the ring\ngo to the kitchen\ngive the ring to Agnes\n"
	if out, status := h.run(played, "game", "play", "lighthouse-keepers", "--no-model"); status != 0 || !strings.Contains(out, "signs twice, as she always has") || !strings.Contains(out, "The door gives with a sigh.") || !strings.Contains(out, "Agnes closes her hand") {
		t.Errorf("%d: %s", status, out)
	}
	var written campaigns.WrittenTale
	cmd := h.command("game", "tale", "write", "a lighthouse keeper's divorce", "--model", "tiny:1b", "--json")
	raw, err := cmd.Output()
	if err := json.Unmarshal(raw, &written); err != nil || written.Tale.Tale != "lighthouse-keepers-2" || len(written.Asked) != 7 || written.Proof == nil {
		t.Errorf("%v: %s", err, raw)
	}
	if err != nil {
		t.Error(err)
	}
}

// What is not written leaves nothing: a model that only talks, an order that cannot be met, and Ctrl-C in the middle of a question.
func TestTaleWrite_NothingIsLeft(t *testing.T) {
	about := "a lighthouse keeper's divorce"
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(ollamafake.Say("Once upon a time there was a lighthouse.")))
	h := newHouse(t, fake.URL())
	folder := filepath.Join(filepath.Dir(h.config), "tales")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{about, "--model", "tiny:1b"}, 1, "the tale was not written, because the model failed at its story in 3 questions: there is no JSON object in it. Nothing of it is kept"},
		{[]string{" ", "--model", "tiny:1b"}, 2, "say what the tale is about"},
		{[]string{about, "--size", "huge"}, 2, `there is no size "huge": use short, medium, long`},
		{[]string{about, "--lang", "de"}, 2, `no tale can be written in "de": use en, ru, zh`},
		{[]string{about, "--name", "cosy"}, 2, "cosy comes with hob, and that name cannot be taken"},
		{[]string{"a", "lighthouse"}, 2, "say in one text what it is about"},
	} {
		out, status := h.run("", append([]string{"game", "tale", "write"}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q ends with %d: %s", c.args, status, out)
		}
	}
	if n := len(fake.Requests()); n != 3 {
		t.Errorf("%d questions were asked", n)
	}
	silent := ollamafake.New(t, ollamafake.Config{}, ollamafake.Forever(ollamafake.Silence(`{"title":`)))
	h.configure("[ollama]\nhost = \"" + silent.URL() + "\"\n")
	cmd := h.command("game", "tale", "write", about, "--model", "tiny:1b")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-silent.SilenceBegan()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "cancelled: nothing of the tale is kept") {
		t.Errorf("%v: %s", err, out.String())
	}
	if left, err := os.ReadDir(folder); !os.IsNotExist(err) {
		t.Errorf("left: %v, %v", left, err)
	}
}
