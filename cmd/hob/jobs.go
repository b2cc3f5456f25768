package main

import (
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/surface/cli"
	"hob/internal/tools"
)

// jobHelp is what /help says of jobs.
const jobHelp = `  /jobs   what runs in the background in this chat; /job N shows its output
  /keep N lets job N run on after its turn, until hob ends; /stop N ends it
`

// jobLine does what a line about jobs says, such as "/keep 2", and reports whether it is one.
func (a *app) jobLine(jobs *tools.Jobs, chat event.Chat, line string) (bool, error) {
	word, rest, _ := strings.Cut(line, " ")
	if word == "/jobs" {
		return true, a.listJobs(jobs, chat)
	}
	if word != "/job" && word != "/keep" && word != "/stop" {
		return false, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil {
		return true, fmt.Errorf("%s needs the number of a job, such as %s 1: /jobs lists them", word, word)
	}
	switch word {
	case "/job":
		text, err := jobs.Output(chat, n)
		if err == nil {
			_, err = fmt.Fprint(a.stdout, a.plain(text))
		}
		return true, err
	case "/keep":
		if err := jobs.Keep(chat, n); err != nil {
			return true, err
		}
		_, err = fmt.Fprintf(a.stdout, "job %d runs on until hob ends.\n", n)
	case "/stop":
		if err := jobs.Stop(chat, n); err != nil {
			return true, err
		}
		_, err = fmt.Fprintf(a.stdout, "job %d is stopped.\n", n)
	}
	return true, err
}

func (a *app) listJobs(jobs *tools.Jobs, chat event.Chat) error {
	lines := jobs.List(chat)
	if len(lines) == 0 {
		lines = []string{"Nothing runs in the background."}
	}
	_, err := fmt.Fprintln(a.stdout, a.plain(strings.Join(lines, "\n")))
	return err
}

// plain takes out of a text what could harm a terminal, where stdout is one.
func (a *app) plain(text string) string {
	if isTerminal(a.stdout) {
		return cli.Clean(text)
	}
	return text
}
