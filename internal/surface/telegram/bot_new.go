package telegram

import (
	"errors"

	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/groups"
)

// New returns the bot of an API. It asks nobody anything until [Bot.Run].
func New(cfg Config) (*Bot, error) {
	if cfg.API == nil {
		return nil, errors.New("make Telegram bot: it needs an API")
	}
	heard := &groups.SeenUsers{}
	b, err := newBot(cfg, cfg.API, func(cfg Config, who func() client.User) (outgoing, incoming) {
		keys := newHeld()
		tell := newTellers(cfg, cfg.API, keys)
		in := newInbound(cfg, cfg.API, tell, who, keys, heard)
		return tell, in
	})
	if err != nil {
		return nil, err
	}
	b.Groups = groups.New(cfg.API, b.me, heard, b.cfg.Now)
	return b, nil
}
