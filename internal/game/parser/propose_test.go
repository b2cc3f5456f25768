package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// proposal returns what is proposed for words that come to nothing.
func proposal(t testing.TB, w *world.World, b *rules.Book, lang, words string) (m parser.Meaning, ok bool) {
	t.Helper()
	alone := parser.Options{NoModel: true}
	if is, read := read(t, w, b, lang, alone, words); read && !is.Partly {
		return m, false
	}
	return alone.Propose(w, b, lang, w.Actor("pc"), words)
}

// proposed returns the calls of a proposal.
func proposed(m parser.Meaning) string {
	if len(m.Options) > 0 {
		m.Calls = m.Options[0].Calls
	}
	return comes(parser.Meaning{Calls: m.Calls}, true)
}

// What is proposed in the inn, "-" for nothing.
func TestPropose(t *testing.T) {
	b := book(t)
	for lang, tests := range map[string][][2]string{
		"en": {
			{"take the rope for my mother", "! Did you mean: “take the rope”? Say “yes” or “no”."},
			{"hurriedly grab the rope!", "! Did you mean: “grab the rope”? Say “yes” or “no”."},
			{"take the rope and juggle knives", "! Did you mean: “take the rope”? Say “yes” or “no”."},
			{"look at the table with my own eyes", `look {"target_id":"table"} + done: (Taken as: “look at the table”.)`},
			{"never juggle the rope", "-"}, {"take the rope unless it is wet", "-"}, {"take the rope and don't juggle", "-"},
			{"threaten to take the rope", "-"}, {"pretend to take the rope", "-"}, // another act without the verb
			{"fling the rope to the north", "-"},
			{"take the rope and throw it round Osric like a ribbon", "-"}, // of somebody whom it is not about
			{"juggle knives", "-"}, {"", "-"}, {"rope " + strings.Repeat("round ", 40), "-"},
		},
		"ru": {
			{"взять верёвку ради интереса", "! Вы хотели сказать: «взять верёвку»? Скажите «да» или «нет»."},
			{"осмотреть стол ради интереса", `look {"target_id":"table"} + done: (Понято так: «осмотреть стол».)`},
			{"взять верёвку, если она сухая", "-"}, {"отказываюсь взять верёвку", "-"},
		},
		"zh": {
			{"拿走那条皱巴巴的绳子", "! 你是想说“拿走那条绳子”吗？说“是”或“不是”。"},
			{"看看墙边的桌子", `look {"target_id":"table"} + done: （理解为：“看看桌子”。）`},
			{"如果它干了就拿走绳子", "-"}, {"假装拿走绳子", "-"}, {"打算别拿走绳子", "-"},
		},
	} {
		for _, test := range tests {
			w := inn(t, lang)
			m, ok := proposal(t, w, b, lang, test[0])
			if diff := cmp.Diff(test[1], comes(m, ok)); diff != "" {
				t.Errorf("%s: %q: %s", lang, test[0], diff)
			}
			if _, ok := (parser.Options{}).Propose(w, b, lang, w.Actor("pc"), test[0]); ok {
				t.Errorf("%s: %q: something is proposed where a model understands more", lang, test[0])
			}
		}
	}
}

// What is added to a command, and means nothing to the game, is left out again, and no more acts than that command come of it. What
// turns the command proposes nothing.
func TestProposeFromCommands(t *testing.T) {
	b := book(t)
	for lang, c := range map[string]struct {
		least        int // of the lines with additions that get a proposal
		added, turns [][2]string
	}{
		"en": {50, [][2]string{{"", " for my mother"}, {"hurriedly ", ""}, {"", " to impress everybody"}}, [][2]string{{"", " unless it rains"}, {"if it rains ", ""}, {"pretend to ", ""}}},
		"ru": {20, [][2]string{{"", " для моей мамы"}, {"", " и свистнуть мелодию"}}, [][2]string{{"", " если не будет дождя"}, {"никогда ", ""}}},
		"zh": {12, [][2]string{{"", "和悲伤的心情"}}, [][2]string{{"", "除非下雨"}, {"假装", ""}}},
	} {
		w, got := house(t, lang), 0
		for i, words := range said(t, lang) {
			if i%3 > 0 {
				continue // a third is enough, and quicker
			}
			m, ok := parser.Read(w, b, lang, w.Actor("pc"), words)
			if !ok || len(m.Calls) == 0 {
				continue
			}
			for _, with := range c.added {
				p, ok := proposal(t, w, b, lang, with[0]+words+with[1])
				if ok {
					got++
				}
				if ok && !strings.Contains(comes(m, true), proposed(p)) {
					t.Errorf("%s: %q proposes %s, not %s", lang, with[0]+words+with[1], proposed(p), comes(m, true))
				}
			}
			for _, with := range c.turns {
				if p, ok := proposal(t, w, b, lang, with[0]+words+with[1]); ok {
					t.Errorf("%s: %q proposes %s", lang, with[0]+words+with[1], proposed(p))
				}
			}
		}
		if t.Logf("%s: %d proposals", lang, got); got < c.least {
			t.Errorf("%s: %d proposals, not %d", lang, got, c.least)
		}
	}
}

// What is hidden proposes the same as what is not there, and what is proposed is sound whatever is said.
func TestProposeHidden(t *testing.T) {
	b := book(t)
	for _, lang := range rules.Langs() {
		with, without := inn(t, lang), inn(t, lang)
		drop(t, without, without.Link("hall", "vault"), without.Link("vault", "hall"), without.Place("vault"), without.Thing("ring"), without.Thing("gem"))
		for _, name := range []string{names(lang)["ring"], names(lang)["gem"], names(lang)["vault"]} {
			for _, form := range []string{"take %s for my mother", "juggle %s and take the rope", "взять %s ради интереса", "拿走那条旧巴巴的%s"} {
				words := fmt.Sprintf(form, name)
				m, ok := proposal(t, with, b, lang, words)
				if other, same := proposal(t, without, b, lang, words); comes(m, ok) != comes(other, same) {
					t.Errorf("%s: %q: %s, not %s", lang, words, comes(m, ok), comes(other, same))
				}
			}
		}
	}
	w := inn(t, "en")
	words := strings.Fields("take the brass lamp to juggle back Osric , please it her somebody like show give letter me open door and then not third push wheel ? 拿 灯 把 взять лампу , 。 '")
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 9).Draw(t, "words"), " ")
		m, ok := parser.Options{NoModel: true, Named: []string{"guard"}}.Propose(w, b, "en", w.Actor("pc"), line)
		sound(t, m, ok)
		if ok && (len(m.Options) == 1) == (len(m.Calls) > 0) {
			t.Errorf("%q: neither asked nor done, or both: %v", line, m)
		}
	})
}

// An answer to a proposal is one only just behind it.
func TestAnswerToProposal(t *testing.T) {
	b := book(t)
	for lang, c := range map[string][3]string{
		"en": {"yes, please", "nope", "! You leave it, then."}, "ru": {"да", "нет", "! Что ж, пусть так и будет."}, "zh": {"好的", "不是", "! 那就不动。"},
	} {
		w := inn(t, lang)
		asked := parser.Options{NoModel: true, Asked: true}
		if got := comes(asked.Read(w, b, lang, w.Actor("pc"), c[0])); got != "pick 1" {
			t.Errorf("%s: %q: %s", lang, c[0], got)
		}
		if got := comes(asked.Read(w, b, lang, w.Actor("pc"), c[1])); got != c[2] {
			t.Errorf("%s: %q: %s", lang, c[1], got)
		}
		if got := comes(parser.Options{NoModel: true}.Read(w, b, lang, w.Actor("pc"), c[0])); got == "pick 1" {
			t.Errorf("%s: %q picks what nobody has proposed", lang, c[0])
		}
	}
}
