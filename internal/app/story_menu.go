package app

import (
	"context"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/lists"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
)

// Offers implements [commands.Stories].
func (p commandPorts) Offers(ctx context.Context, by tools.Caller) (all []commands.Story, begins bool, _ error) {
	list, begins, err := p.GameMaster.Offers(ctx, by)
	return lists.Map(list, func(c gamemaster.Campaign) commands.Story { return commands.Story{ID: c.ID, Title: c.Title} }), begins, err
}

// Tales implements [commands.Stories].
func (p commandPorts) Tales() (ready []commands.Tale, broken []string) {
	good, bad := p.Env.Tales().List()
	for _, t := range good {
		tale := commands.Tale{ID: t.ID, Langs: t.Langs(), Texts: map[string]commands.TaleText{}}
		for _, lang := range rules.Langs() {
			tale.Texts[lang] = commands.TaleText{Title: t.Title(lang), Pitch: t.Pitch(lang), Trades: lists.Map(t.Trades(lang), func(trade tales.Trade) commands.Trade {
				return commands.Trade{ID: trade.ID, Name: trade.Name, Line: trade.Line}
			})}
		}
		ready = append(ready, tale)
	}
	return ready, lists.Map(bad, func(t tales.Tale) string { return t.ID })
}

// Language implements [commands.Stories].
func (p commandPorts) Language(ctx context.Context, chat event.Chat, wanted string) string {
	return p.GameMaster.LangFor(ctx, chat, wanted)
}

// Text implements [commands.Stories].
func (p commandPorts) Text(lang, key string, args ...string) string {
	return p.GameMaster.Words(lang, key, args...)
}
