package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/markdown"
)

// Jobs is the background jobs of chats.
type Jobs interface {
	List(chat event.Chat) []string
	Output(chat event.Chat, number int) (string, error)
	Keep(chat event.Chat, number int) error
	Stop(chat event.Chat, number int) error
}

// jobs lists the background jobs of a chat, or stops one.
func (d Deps) jobs(_ context.Context, by Request) (Answer, error) {
	if word, rest, _ := strings.Cut(by.Args, " "); word != "" {
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if word != "stop" || err != nil {
			return Answer{}, errors.New("/jobs lists what runs in the background, /jobs stop 1 ends job 1")
		}
		if err := d.Jobs.Stop(by.Chat, n); err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("job %d is stopped.", n)}, nil
	}
	all := d.Jobs.List(by.Chat)
	if len(all) == 0 {
		return Answer{Text: "Nothing runs in the background.", Data: []string{}}, nil
	}
	var lines []string
	for _, line := range all {
		lines = append(lines, "- "+escape(line))
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: all}, nil
}

// job shows the output of a job.
func (d Deps) job(_ context.Context, by Request) (Answer, error) {
	n, err := jobNumber("job", by.Args)
	if err != nil {
		return Answer{}, err
	}
	text, err := d.Jobs.Output(by.Chat, n)
	return Answer{Text: markdown.Fenced(strings.TrimSuffix(text, "\n")), Data: text}, err
}

// keep lets a job outlive its turn.
func (d Deps) keep(_ context.Context, by Request) (Answer, error) {
	n, err := jobNumber("keep", by.Args)
	if err != nil {
		return Answer{}, err
	}
	err = d.Jobs.Keep(by.Chat, n)
	if err != nil && d.KeepHint != "" {
		err = fmt.Errorf("%w. %s", err, d.KeepHint)
	}
	return Answer{Text: fmt.Sprintf("job %d runs on until hob ends.", n)}, err
}

// jobNumber parses the number of a job.
func jobNumber(name, args string) (int, error) {
	n, err := strconv.Atoi(args)
	if err != nil {
		return 0, fmt.Errorf("/%s needs the number of a job, such as /%s 1: /jobs lists them", name, name)
	}
	return n, nil
}
