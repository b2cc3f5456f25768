package gamemaster_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/llm"
	"hob/internal/markdown"

	"hob/internal/tools"
)

// keyLike is what a text's key looks like, such as undo_none or safety.shown.
var keyLike = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b|\b[a-z_]+\.[a-z_]+\b|\{[0-9]\}`)

// spokenLines are what players ask to see, by language.
func spokenLines(lang string) []string {
	switch lang {
	case "ru":
		return []string{"осмотреться", "инвентарь", "карта", "задания", "помощь", "герой", "время", "отряд", "почему", "что было"}
	case "zh":
		return []string{"看", "物品栏", "地图", "任务", "帮助", "角色", "时间", "队伍", "为什么", "回顾"}
	}
	return []string{"look", "inventory", "map", "quests", "help", "sheet", "time", "party", "why", "recap"}
}

// Every command and everything that can be shown is readable in the story's language, in every tale, before and after something
// happened, alone and in a group.
func TestEveryCommandInEveryLanguage(t *testing.T) {
	orders := []string{
		"/undo", "/undo x", "/undo 2", "/redo", "/redo 0", "/branch", "/save", "/save here", "/save here", "/save 7", "/load", "/load here", "/load nowhere",
		"/switch 0", "/rewind", "/export", "/join", "/join Bo", "/join Bo, nobody", "/leave", "/mode", "/mode odd", "/mode round", "/mode round 10", "/mode", "/next", "/mode free",
		"/mode initiative", "/next", "/mode free", "/lines", "/lines spiders", "/veils", "/veils blood", "/x", "/x knives", "/fair", "/rules", "/allow", "/allow -attack",
		"/allow", "/allow +attack", "/allow -nothing", "/teller", "/teller on", "/retry", "/do", "/say", "/look", "/l", "/go", "/take", "/inv", "/i", "/sheet",
		"/map", "/quest", "/quests", "/recap", "/roll 2d6", "/roll", "/roll 0d0", "/check", "/why", "/help", "/choices", "/party", "/time", "/wait", "/rest", "/talk", "/ask", "/attack",
		"/use", "/give", "/open", "/close", "/drop", "/get", "9", "0", "-1", "99999999999999999999",
	}
	for i, tale := range []string{"cosy", "mystery", "dungeon"} {
		for k, lang := range rules.Langs() {
			if i == k && os.Getenv("HOB_TEST_FULL") == "" {
				continue
			}
			t.Run(tale+" "+lang, func(t *testing.T) {
				h := newHouse(t, plan{noModel: true})
				h.group(tale == "mystery")
				got := h.say("/game new " + tale + " " + lang)
				readable(t, lang, "/game new", got)
				for _, words := range append(orders, spokenLines(lang)...) {
					readable(t, lang, words, h.say(words))
					if strings.HasPrefix(words, "/load") || words == "/why" {
						readable(t, lang, "0", h.sayAs("ana", "1", ""))
					}
				}
				h.legal(tale)
			})
		}
	}
}

func readable(t *testing.T, lang, words string, got said) {
	t.Helper()
	text := got.reply.Text
	if strings.TrimSpace(text) == "" || got.ended.Reason != event.Done || strings.Contains(text, "there is no command") {
		t.Errorf("%s: %s: %q", words, got.ended.Reason, text)
	}
	if words == "/why" || words == "why" || words == "почему" || words == "为什么" || strings.HasPrefix(words, "/allow") { // ids and tools are their point
		return
	}
	if found := keyLike.FindString(strings.NewReplacer("hob game", "", `\_`, "_").Replace(text)); found != "" {
		t.Errorf("%s: %q is in %q", words, found, text)
	}
	if lang == "en" || words == "/game new" {
		return
	}
	own := 0
	for _, r := range text {
		if lang == "ru" && r >= 'А' && r <= 'я' || lang == "zh" && r >= 0x4E00 {
			own++
		}
	}
	if own < 2 && len(text) > 12 {
		t.Errorf("%s: %q is not in %s", words, text, lang)
	}
}

// What is answered without a model stands as it is where it is read as Markdown: what players called things means nothing there.
func TestPlainAnswersAreNoMarkup(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.began("cosy")
	for _, name := range []string{"*Bo*", "`rm`", "<b>Bo</b>", "# Bo", "[Bo](x)", "_Bo_", "~~Bo~~", "![a](b)", "a\\*b", "&lt;"} {
		h.say("/leave")
		h.say("/join " + name)
		var out strings.Builder
		source := []byte(h.say("party").reply.Text)
		err := ast.Walk(markdown.Parser().Parse(gtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.Text:
				if entering {
					out.Write(util.UnescapePunctuations(n.Value(source)))
				}
			case *ast.Document, *ast.Paragraph:
			default:
				t.Errorf("%s is a %s in %q", name, n.Kind(), source)
			}
			return ast.WalkContinue, nil
		})
		if err != nil || !strings.Contains(out.String(), name) {
			t.Errorf("%s is not in %q: %v", name, out.String(), err)
		}
	}
}

// A story begins, and is offered, in the language of who asks for it.
func TestBeginsInTheLanguageOfWhoAsks(t *testing.T) {
	for words, want := range map[string][2]string{
		"поиграем в детектив": {"Свет Цаплиной скалы", "Начать историю"}, "玩悬疑故事": {"鹭岩之光", "开始一个故事"}, "play the mystery": {"The Light at Heron Rock", "Begin a story"},
	} {
		h := newHouse(t, plan{model: llm.NewScript()})
		by := tools.Caller{Chat: "main", Principal: event.Principal{Level: event.Owner, Platform: "cli", Scope: "private"}, Typed: true, Words: []string{"hello", words}}
		for i, args := range []string{`{"words":"new mystery"}`, `{}`} {
			res, err := tools.Call(tools.WithCaller(t.Context(), by), h.master.Menu(), json.RawMessage(args))
			if err != nil || !strings.Contains(res.Text, want[i]) {
				t.Errorf("%s: %v, %.200s", words, err, res.Text)
			}
		}
	}
}

// Who asks in their own words for a tale that is going on in this chat is asked whether to go on or to begin
// anew; a command begins it, and so do words where there is no such story.
func TestAsksWhetherToBeginAnew(t *testing.T) {
	for words, want := range map[string]string{
		"play the cosy one": "“The Ember Supper” is going on already", "сыграем в уютную": "История «The Ember Supper» уже идёт", "玩温馨的那个": "“The Ember Supper”正在进行中",
	} {
		h := newHouse(t, plan{model: llm.NewScript()})
		h.began("cosy")
		by := tools.Caller{Chat: h.chat, Principal: event.Principal{Level: event.Owner, Platform: "cli", Scope: "private"}, Typed: true, Words: []string{words}}
		begin := func() tools.Result {
			res, err := tools.Call(tools.WithCaller(t.Context(), by), h.master.Menu(), json.RawMessage(`{"words":"new cosy"}`))
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		res := begin()
		if !strings.HasPrefix(res.Text, want) || len(res.Choices) != 2 || res.Choices[0].Text != "/game open cosy" || !strings.HasPrefix(res.Choices[1].Text, "/game new cosy") {
			t.Errorf("%s: %s, %v", words, res.Text, res.Choices)
		}
		by.Words = []string{res.Choices[1].Text}
		if res = begin(); !strings.HasPrefix(res.Text, "The Ember Supper") || h.log("cosy-2") == nil {
			t.Errorf("%s: %.200s", by.Words, res.Text)
		}
		delete(h.shelf.logs, "cosy-2")
		delete(h.shelf.logs, "cosy")
		by.Words = []string{words}
		if res = begin(); strings.Contains(res.Text, want) {
			t.Errorf("%s: %s", words, res.Text)
		}
	}
}

// Who would begin a story anew begins the one that they asked for; nobody is asked about somebody else's story, or about
// one that cannot be read.
func TestAsksOnlyAboutOnesOwnStory(t *testing.T) {
	const wishes = "new cosy en name=supper mode=round dice=burn Ana Grey"
	h := newHouse(t, plan{model: llm.NewScript()})
	h.began("cosy")
	by := tools.Caller{Chat: h.chat, Principal: event.Principal{Level: event.Owner, Platform: "cli", Scope: "private"}, Typed: true, Words: []string{"play the cosy one"}}
	begin := func() tools.Result {
		res, err := tools.Call(tools.WithCaller(t.Context(), by), h.master.Menu(), json.RawMessage(`{"words":"`+wishes+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := begin(); len(res.Choices) != 2 || res.Choices[1].Text != "/game "+wishes {
		t.Errorf("%v", res.Choices)
	}
	by.Chat = "attic"
	if res := begin(); h.log("supper") == nil {
		t.Errorf("%.200s", res.Text)
	}
	h.shelf.remove("supper")
	h.shelf.logs["old"], h.shelf.title["old"], h.shelf.bound[h.chat] = eventlog.NewMemoryStorage(), "The Ember Supper", "old" // an empty log
	by.Chat = h.chat
	if res := begin(); h.log("supper") == nil {
		t.Errorf("%.200s", res.Text)
	}
}

// A story rests when that is said in plain words, too.
func TestLeavesByWords(t *testing.T) {
	for _, words := range []string{"pause", "Stop the story.", "выйти из истории", "暂停"} {
		h := newHouse(t, plan{model: llm.NewScript(llm.Say("You are out of it."))})
		h.began("cosy")
		if got := h.say(words).reply.Text; !strings.Contains(got, "The story rests") {
			t.Errorf("%s: %s", words, got)
		}
		if got := h.say("hello").reply.Text; got != "You are out of it." {
			t.Errorf("after %s: %s", words, got)
		}
	}
}

// A chat leaves a story, does a chore, and comes back; nothing of one is in the prompts of the other.
func TestChoresAndStories(t *testing.T) {
	model := llm.NewScript(
		llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`)), llm.Say("Frost glitters on the green."),
		llm.Do(called(2, "mark_note", `{}`)), llm.Say("It is kept: buy turnips."),
		llm.Say("Done."), llm.Say("All is quiet here."),
	)
	h := newHouse(t, plan{model: model, more: []tools.Tool{note()}})
	h.began("cosy")
	h.say("I stroll out, whistling a merry tune")
	if got := h.say("/pause"); got.ended.Reason != event.Done {
		t.Fatal(got.reply.Text)
	}
	if got := h.say("keep a note: buy turnips"); !strings.Contains(got.reply.Text, "turnips") {
		t.Errorf("%s: %s", got.ended.Reason, got.reply.Text)
	}
	h.say("/game open cosy")
	if got := h.say("I stretch and hum another tune"); !strings.Contains(got.reply.Text, "quiet") {
		t.Errorf("%s: %s", got.ended.Reason, got.reply.Text)
	}
	if h.place("pc_001") != "area_green" {
		t.Error("the story has forgotten where it was")
	}
	requests := model.Requests()
	if len(requests) != 6 {
		t.Fatalf("there are %d requests", len(requests))
	}
	for i, r := range requests {
		sent := everything(r)
		foreign := []string{"turnips", "buy "}
		if i == 2 || i == 3 {
			foreign = []string{"SCENE", "area_green", "Frost", "merry tune", "move_player", "Voss"}
		}
		for _, word := range foreign {
			if at := strings.Index(sent, word); at >= 0 {
				t.Errorf("request %d has %q: ...%s", i, word, sent[max(0, at-200):min(len(sent), at+60)])
			}
		}
	}
}
