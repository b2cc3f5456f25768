package app

import (
	"context"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/game/rules"
	"hob/internal/tools"
)

// Offers implements [commands.Stories].
func (p commandPorts) Offers(ctx context.Context, by tools.Caller) (all []commands.Story, begins bool, _ error) {
	list, begins, err := p.GameMaster.Offers(ctx, by)
	for _, c := range list {
		all = append(all, commands.Story{ID: c.ID, Title: c.Title})
	}
	return all, begins, err
}

// Tales implements [commands.Stories].
func (p commandPorts) Tales() (ready []commands.Tale, broken []string) {
	good, bad := p.Env.Tales().List()
	for _, t := range good {
		tale := commands.Tale{ID: t.ID, Langs: t.Langs(), Texts: map[string]commands.TaleText{}}
		for _, lang := range rules.Langs() {
			text := commands.TaleText{Title: t.Title(lang), Pitch: t.Pitch(lang)}
			for _, trade := range t.Trades(lang) {
				text.Trades = append(text.Trades, commands.Trade{ID: trade.ID, Name: trade.Name, Line: trade.Line})
			}
			tale.Texts[lang] = text
		}
		ready = append(ready, tale)
	}
	for _, t := range bad {
		broken = append(broken, t.ID)
	}
	return ready, broken
}

// Language implements [commands.Stories].
func (p commandPorts) Language(ctx context.Context, chat event.Chat, wanted string) string {
	return p.GameMaster.LangFor(ctx, chat, wanted)
}

// Text implements [commands.Stories].
func (p commandPorts) Text(lang, key string, args ...string) string {
	return p.GameMaster.Words(lang, key, args...)
}
