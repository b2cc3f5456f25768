package page

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
)

// speaks has the browser ask for a language.
func (b *tab) speaks(lang string) {
	b.h.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": lang}})
		return none, err
	})
}

// english are words of hob's own that stand in no other language's chat.
var english = regexp.MustCompile(`(?i)\b(the|is|are|and|has|not|no|it|asks?|because|wrote|written|denied|asking|again|enabled|disabled|on \d|since|until|before|undo|done|nothing|says?|said|tool)\b`)

// command is a command as it is typed, in any language.
var command = regexp.MustCompile(`/[a-z]+`)

// Who speaks German, Russian or Chinese reads no English of hob's own: in notes, questions, receipts, and in the answers of commands.
func TestNoEnglishElsewhere(t *testing.T) {
	notShort(t)
	for lang, says := range map[string]struct{ hello, remind, timer, date string }{
		"de": {"guten Morgen, wie geht es dir heute", "erinnere mich morgen um 21 Uhr, Ana anzurufen", "Timer 1 Sekunde", `\d\d?\. \pL+ \d{4}, \d\d:\d\d`},
		"ru": {"доброе утро, как твои дела сегодня", "напомни мне завтра в 21:00 позвонить Ане", "таймер 1 секунда", `\d\d? \pL+ \d{4}`},
		"zh": {"早上好，你今天怎么样", "明天晚上9点提醒我给安娜打电话", "计时1秒", `\d{4}年\d+月\d+日`},
	} {
		t.Run(lang, func(t *testing.T) {
			web := strangers(t)
			// Of what it is asked only signs say what to do, which are of no language.
			h := newHouse(t, fmt.Sprintf("[fetch]\nallow = [%q]\n", strings.TrimPrefix(web.URL, "http://")), ollamafake.Forever(ollamafake.Choose(func(r ollamafake.Request) ollamafake.Step {
				last := r.Messages[len(r.Messages)-1]
				switch words := llm.Words(last.Content); {
				case last.Role == "tool":
				case strings.Contains(words, "📝"):
					return ollamafake.CallTool("write_file", map[string]string{"path": "1.txt", "content": "2\n"})
				case strings.Contains(words, "📖"):
					return ollamafake.CallTool("read_file", map[string]string{"path": "1.txt"})
				case strings.Contains(words, "🌍"):
					return ollamafake.CallTool("fetch", map[string]string{"url": web.URL + "/1"})
				case strings.Contains(words, "🤥"):
					return ollamafake.Say("I have written 2.txt.")
				}
				return ollamafake.Say("👍")
			})))
			b := h.signIn()
			b.speaks(lang)
			b.visit("chat")
			b.asked(says.hello, "")
			b.asked(says.remind, "21:00")
			b.asked(says.timer, "#2")
			b.until(`document.querySelector("[data-loud]")`)
			b.asked("📝", "👍")
			b.asked("📖", "👍")
			b.asked("🤥", "")
			b.say("🌍")
			b.shows(".item.question", "/1")
			b.press(`.decide button[value="no"]`)
			b.until(`document.querySelector(".decided") && document.body.dataset.running === "false"`)
			own := func(what, selector string) {
				t.Helper()
				for _, text := range look[[]string](b, fmt.Sprintf(`[...document.querySelectorAll(%s)].map((e) => e.innerText)`, quote(selector))) {
					for line := range strings.Lines(text) {
						if english.MatchString(command.ReplaceAllString(line, "")) {
							t.Errorf("%s: %s", what, line)
						}
					}
				}
			}
			own("a note", "#transcript .item.note")
			own("a question", "#transcript .item.question")
			own("a receipt", "#transcript .receipt")
			own("the end of a turn", "#transcript .item.end")
			b.visit("tools")
			own("the tools", "#tools-panel .switches, #tools-panel .switches-head, #tools-panel .state")
			look[bool](b, `(document.querySelectorAll("#tools-panel details").forEach((d) => d.open = true), true)`)
			own("what tools are for", `[data-tool="list_add"] details p, [data-tool="remind"] details p, [data-tool="fetch"] details p, [data-skill="lists"] details p`)
			b.visit("house")
			for _, part := range []string{"approve", "status", "undo", "ps", "retry", "privacy", "reminders", "memory"} {
				own("the house", "#house-"+part)
			}
			iso := regexp.MustCompile(`\d{4}-\d\d-\d\d`)
			house := look[string](b, `document.querySelector("#main").innerText`)
			if found := iso.FindString(house); found != "" {
				t.Errorf("the house writes a day as %s", found)
			}
			if !regexp.MustCompile(says.date).MatchString(house) {
				t.Errorf("the house writes no day as people do")
			}
			b.visit("devices")
			own("the devices", "#main time")
		})
	}
}
