package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
)

// jobHelp is what /help says of jobs.
const jobHelp = `  /jobs   what runs in the background in this chat; /job N shows its output
  /keep N lets job N run on after its turn, until hob ends; /stop N ends it
`

// jobLine does what a line about jobs says, such as "/keep 2", and reports whether it is one.
func (a *program) jobLine(ctx context.Context, h talk, chat event.Chat, line string) (bool, error) {
	word, rest, _ := strings.Cut(line, " ")
	order := jobOrder{Chat: chat, Do: map[string]string{"/jobs": "list", "/job": "output", "/keep": "keep", "/stop": "stop"}[word]}
	if order.Do == "" {
		return false, nil
	}
	if order.Do != "list" {
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil {
			return true, fmt.Errorf("%s needs the number of a job, such as %s 1: /jobs lists them", word, word)
		}
		order.Job = n
	}
	text, err := h.job(ctx, order)
	if err != nil {
		return true, err
	}
	_, err = fmt.Fprint(a.stdout, a.plain(text))
	return true, err
}

// plain takes out of a text what could harm a terminal, where stdout is one.
func (a *program) plain(text string) string {
	if isTerminal(a.stdout) {
		return display.Clean(text)
	}
	return text
}
