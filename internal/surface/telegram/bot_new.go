package telegram

import (
	"errors"

	"hob/internal/surface/telegram/client"
)

// New returns the bot of an API. It asks nobody anything until [Bot.Run].
func New(cfg Config) (*Bot, error) {
	if cfg.API == nil {
		return nil, errors.New("make Telegram bot: it needs an API")
	}
	var heard *met
	b, err := newBot(cfg, cfg.API, func(cfg Config, who func() client.User) (outgoing, incoming) {
		keys := newHeld()
		tell := newTellers(cfg, cfg.API, keys)
		in := newInbound(cfg, cfg.API, tell, who, keys)
		heard = &in.met
		return tell, in
	})
	if err != nil {
		return nil, err
	}
	b.met = heard
	return b, nil
}
