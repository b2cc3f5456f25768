package gamemaster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/event"
	"hob/internal/game/dice"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/tools"
)

// MenuTool is the name of the tool and command with which people begin and resume stories. It
// belongs to no skill.
const MenuTool = "game"

// menuRequest is the input of the menu.
type menuRequest struct {
	Words string `json:"words,omitempty" jsonschema:"nothing, or: new TALE [en|ru|zh] [HERO], open NAME, list, close"`
}

// Menu returns the tool. It is hidden from models.
func (m *Master) Menu() tools.Tool {
	return tools.New(tools.Def{
		Name: MenuTool, Description: "Begin a story, or go on with one.", Capabilities: tools.Plays, Hidden: true,
		Command: "game [words:string...]", Examples: []string{"game", "game new cosy", "game open cosy"}, Source: Name,
	}, func(ctx context.Context, in menuRequest) (tools.Result, error) { return m.menu(ctx, in.Words) })
}

func (m *Master) menu(ctx context.Context, words string) (tools.Result, error) {
	by := tools.CallerFrom(ctx)
	list, said := strings.Fields(words), ""
	if n := len(by.Words); n > 0 {
		said = by.Words[n-1]
	}
	if len(list) == 0 || strings.EqualFold(list[0], "list") {
		return m.listStories(ctx, by, said)
	}
	lang := m.LangFor(ctx, by.Chat, langOf(said))
	switch strings.ToLower(list[0]) {
	case "new":
		b, err := m.parseBeginning(lang, list[1:])
		if err != nil {
			return tools.Result{}, err
		}
		if t, ok := m.cfg.Tales.ByID(b.Tale); ok && langOf(said) != "" {
			b.Lang = cmp.Or(b.Lang, t.LangFor(langOf(said)))
		}
		b.Owner = ownerOf(by)
		if said != "" && !strings.HasPrefix(said, "/") {
			if res, going, err := m.askWhetherAnew(ctx, by, b, m.LangFor(ctx, by.Chat, langOf(said))); going || err != nil {
				return res, err
			}
		}
		return m.start(ctx, by, b)
	case "close", "pause":
		if m.cfg.Close == nil {
			return tools.Result{}, tools.Failed("%s", m.Words(lang, "menu_no_close"))
		}
		err := m.cfg.Close(ctx, by)
		if bad := (*tools.Error)(nil); errors.As(err, &bad) && bad.Type == event.TypeNotFound {
			return tools.Result{Text: m.Words(lang, "menu_none", "game close")}, nil
		}
		return tools.Result{Text: m.Words(lang, "menu_closed")}, err
	case "open", "play":
		list = list[1:]
	}
	if len(list) != 1 {
		return tools.Result{}, m.invalid(lang, "menu_how")
	}
	return m.resume(ctx, by, list[0])
}

// ownerOf returns who owns the first character. At home it belongs to nobody; in a group each player gets a character
// of their own.
func ownerOf(by tools.Caller) string {
	if by.Scope == "group" {
		return by.User
	}
	return ""
}

// parseBeginning reads "new TALE [LANG] [key=value ...] [HERO]".
func (m *Master) parseBeginning(lang string, list []string) (Beginning, error) {
	b := Beginning{}
	if len(list) == 0 {
		return b, m.invalid(lang, "menu_which", strings.Join(m.taleNames(), ", "))
	}
	b.Tale, list = strings.ToLower(list[0]), list[1:]
	if _, ok := m.cfg.Tales.ByID(b.Tale); !ok && b.Tale != "map" {
		return b, m.invalid(lang, "menu_no_tale", b.Tale, strings.Join(m.taleNames(), ", "))
	}
	if len(list) > 0 && slices.Contains(rules.Langs(), strings.ToLower(list[0])) {
		b.Lang, list = strings.ToLower(list[0]), list[1:]
	}
	var hero []string
	for _, word := range list {
		key, value, given := strings.Cut(word, "=")
		switch {
		case !given:
			hero = append(hero, word)
		case key == "name":
			b.ID = value
		case key == "trade":
			b.Trade = value
		case key == "mode" && slices.Contains([]string{modeFree, modeRound, modeInitiative}, value):
			b.Mode = value
		case key == "dice" && slices.Contains([]string{"locked", "burn"}, value):
			b.Dice = value
		default:
			return b, m.invalid(lang, "menu_word", word)
		}
	}
	b.Hero = strings.Join(hero, " ")
	if len([]rune(b.Hero)) > mostName {
		return b, m.invalid(lang, "name_long")
	}
	return b, nil
}

// mayChooseStory reports whether the caller may choose the story of a chat. In a group only admins may, because stories
// belong to the household and anybody can be in a group.
func mayChooseStory(by tools.Caller) bool { return by.Scope != "group" || by.Level >= event.GroupAdmin }

// start begins a story in a chat.
func (m *Master) start(ctx context.Context, by tools.Caller, b Beginning) (tools.Result, error) {
	if _, begins, err := m.Offers(ctx, by); err != nil {
		return tools.Result{}, err
	} else if !begins {
		no := m.withoutStop(m.LangFor(ctx, by.Chat, ""), "owner_only")
		return tools.Result{}, &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: no}
	}
	out, err := m.Begin(ctx, b)
	if err != nil {
		return tools.Result{}, tools.Failed("%s", sentence(err))
	}
	look, err := m.Bind(ctx, by, out.ID)
	if err != nil {
		return tools.Result{}, err
	}
	text := out.Title + "\n\n"
	if out.Opening != "" {
		text += out.Opening + "\n\n"
	}
	text += look + "\n\n" + m.words.Text(out.Lang, rules.Sentence{Key: "fair", Args: []string{dice.ShortSeal(out.Commitment)}})
	return m.describeOpened(ctx, by, out.ID, text)
}

// askWhetherAnew asks who wants to play a tale in words of their own whether to go on with a story of it that is not over,
// or to begin one more. It reports false if this chat has no such story, and they play in none that they may go on with.
func (m *Master) askWhetherAnew(ctx context.Context, by tools.Caller, b Beginning, lang string) (res tools.Result, going bool, err error) {
	all, begins, err := m.Offers(ctx, by)
	t, ok := m.cfg.Tales.ByID(b.Tale)
	if err != nil || !ok || !begins {
		return res, false, err
	}
	bound, err := m.cfg.Campaigns.Bound(ctx, by.Chat)
	if err != nil {
		return res, false, err
	}
	for _, c := range all {
		if !slices.ContainsFunc(t.Langs(), func(lang string) bool { return t.Title(lang) == c.Title }) {
			continue
		}
		goes := false
		if err := m.open(ctx, c.ID, func(camp *campaign) error { goes = camp.goesOnFor(by, bound); return nil }); ctx.Err() != nil {
			return res, false, context.Cause(ctx)
		} else if err != nil || !goes {
			continue // a story that cannot be read does not go on
		}
		goOn := "/game open " + c.ID
		anew := b.command()
		res.Text = m.Words(lang, "menu_going", c.Title, goOn, anew)
		res.Choices = []event.Choice{
			{Label: "▶ " + c.Title, Text: goOn, Trusted: true},
			{Label: "✚ " + m.Words(lang, "menu_anew"), Text: anew, Trusted: true},
		}
		return res, true, nil
	}
	return res, false, nil
}

// goesOnFor reports whether a story is not over, and is the one bound to the caller's chat or one in which the caller plays.
func (camp *campaign) goesOnFor(by tools.Caller, bound string) bool {
	w := camp.World()
	plays := func(a *world.Actor) bool { return by.User != "" && a.Owner == by.User }
	return !w.Self().Ended && (camp.id == bound || slices.ContainsFunc(w.Actors(), plays))
}

// command returns the command that begins the story.
func (b Beginning) command() string {
	list := []string{"/game new", b.Tale}
	for _, word := range [...][2]string{{"", b.Lang}, {"name=", b.ID}, {"trade=", b.Trade}, {"mode=", b.Mode}, {"dice=", b.Dice}, {"", b.Hero}} {
		if word[1] != "" {
			list = append(list, word[0]+word[1])
		}
	}
	return strings.Join(list, " ")
}

// resume resumes a story in a chat.
func (m *Master) resume(ctx context.Context, by tools.Caller, id string) (tools.Result, error) {
	all, _, err := m.Offers(ctx, by)
	if err != nil {
		return tools.Result{}, err
	}
	i := slices.IndexFunc(all, func(c Campaign) bool { return c.ID == id })
	if i < 0 {
		return tools.Result{}, m.invalid(m.LangFor(ctx, by.Chat, ""), "menu_no_story", id)
	}
	look, err := m.Bind(ctx, by, id)
	if err != nil {
		return tools.Result{}, err
	}
	return m.describeOpened(ctx, by, id, all[i].Title+"\n\n"+look)
}

// Offers returns the stories that a caller may resume in a chat, and whether the caller may begin one. Members of a
// group may only resume the group's story, or begin one if the group has none.
func (m *Master) Offers(ctx context.Context, by tools.Caller) (all []Campaign, begins bool, err error) {
	if all, err = m.cfg.Campaigns.List(ctx); err != nil || mayChooseStory(by) {
		return all, true, err
	}
	bound, err := m.cfg.Campaigns.Bound(ctx, by.Chat)
	all = slices.DeleteFunc(slices.Clone(all), func(c Campaign) bool { return c.ID != bound })
	return all, len(all) == 0, err
}

// describeOpened returns the answer for a story that was opened.
func (m *Master) describeOpened(ctx context.Context, by tools.Caller, id, text string) (tools.Result, error) {
	label, err := m.cfg.Campaigns.Label(ctx, id)
	if err != nil {
		return tools.Result{}, err
	}
	choices, err := m.Choices(ctx, by)
	return tools.Result{Text: text, Choices: choices, Label: label}, err
}

// invalid returns the error for a mistake in the input of the menu.
func (m *Master) invalid(lang, key string, args ...string) error {
	return tools.Invalid(event.CodeInvalidValue, "%s", m.withoutStop(lang, key, args...))
}

// withoutStop removes the full stop at the end of a text, since errors have none.
func (m *Master) withoutStop(lang, key string, args ...string) string {
	return strings.TrimSuffix(strings.TrimSuffix(m.Words(lang, key, args...), "."), "。")
}

// Words returns a text of this package in a language, such as the questions of the menu.
func (m *Master) Words(lang, key string, args ...string) string {
	return m.words.Text(lang, rules.Sentence{Key: key, Args: args})
}

// LangFor returns the language in which a chat is asked about stories: the wanted one if hob has texts in it, else that
// of the chat's story, else English.
func (m *Master) LangFor(ctx context.Context, chat event.Chat, wanted string) string {
	if slices.Contains(rules.Langs(), wanted) {
		return wanted
	}
	lang := ""
	_ = m.at(ctx, chat, func(camp *campaign) error { lang = camp.lang(); return nil })
	if !slices.Contains(rules.Langs(), lang) {
		return "en"
	}
	return lang
}

// langOf guesses the language of words by their letters: Russian or Chinese, else "".
func langOf(words string) string {
	for _, r := range words {
		switch {
		case unicode.Is(unicode.Cyrillic, r):
			return "ru"
		case unicode.Is(unicode.Han, r):
			return "zh"
		}
	}
	return ""
}

// listStories lists the stories to resume and to begin, in the language of the words that asked.
func (m *Master) listStories(ctx context.Context, by tools.Caller, words string) (tools.Result, error) {
	lang := m.LangFor(ctx, by.Chat, langOf(words))
	all, begins, err := m.Offers(ctx, by)
	if err != nil {
		return tools.Result{}, err
	}
	bound, err := m.cfg.Campaigns.Bound(ctx, by.Chat)
	if err != nil {
		return tools.Result{}, err
	}
	var b strings.Builder
	res := tools.Result{}
	if len(all) > 0 {
		b.WriteString(m.Words(lang, "menu_go_on") + "\n")
	}
	for i, c := range all {
		if i == mostStories {
			fmt.Fprintf(&b, "  %s\n", m.Words(lang, "menu_more", strconv.Itoa(len(all)-i)))
			break
		}
		mark := ""
		if c.ID == bound {
			mark = " " + m.Words(lang, "menu_here")
		}
		fmt.Fprintf(&b, "  /game open %s   %s%s\n", c.ID, c.Title, mark)
		if i < mostOffered {
			res.Choices = append(res.Choices, event.Choice{Label: "▶ " + c.Title, Text: "/game open " + c.ID, Trusted: true})
		}
	}
	if begins {
		m.listBeginnings(&b, &res, lang)
	}
	res.Text = strings.TrimRight(b.String(), "\n")
	return res, nil
}

// listBeginnings lists the stories to begin.
func (m *Master) listBeginnings(b *strings.Builder, res *tools.Result, lang string) {
	in := ""
	if lang != "en" {
		in = " " + lang
	}
	b.WriteString(m.Words(lang, "menu_new") + "\n")
	ready, broken := m.cfg.Tales.List()
	for _, t := range ready {
		in := in
		if !slices.Contains(t.Langs(), lang) {
			in = ""
		}
		fmt.Fprintf(b, "  /game new %s%s   %s: %s\n", t.ID, in, t.Title(lang), t.Pitch(lang))
		res.Choices = append(res.Choices, event.Choice{Label: "✚ " + t.Title(lang), Text: "/game new " + t.ID + in, Trusted: true})
	}
	fmt.Fprintf(b, "  /game new map%s   %s\n", in, m.Words(lang, "menu_map"))
	for _, t := range broken {
		b.WriteString("  (" + m.Words(lang, "menu_broken", t.ID, "hob game tale check "+t.ID) + ")\n")
	}
}

// The number of stories in a list, and of those that have a button.
const (
	mostStories = 12
	mostOffered = 3
)
