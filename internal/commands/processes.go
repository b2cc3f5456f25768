package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
)

// Processes is the commands that run in the background of chats.
type Processes interface {
	List(chat event.Chat) []string
	Output(chat event.Chat, number int) (string, error)
	Keep(chat event.Chat, number int) error
	Stop(chat event.Chat, number int) error
}

// ps lists the background processes of a chat.
func (d Deps) ps(_ context.Context, by Request) (Answer, error) {
	if by.Args != "" {
		return Answer{}, errors.New("/ps lists what runs in the background; /output 1 shows what process 1 has printed, /kill 1 ends it")
	}
	all := d.Processes.List(by.Chat)
	if len(all) == 0 {
		return Answer{Text: "Nothing runs in the background.", Data: []string{}}, nil
	}
	lines := lists.Map(all, func(line string) string { return "- " + escape(line) })
	return Answer{Text: strings.Join(lines, "\n"), Data: all}, nil
}

// output shows the output of a process.
func (d Deps) output(_ context.Context, by Request) (Answer, error) {
	n, err := processNumber("output", by.Args)
	if err != nil {
		return Answer{}, err
	}
	text, err := d.Processes.Output(by.Chat, n)
	return Answer{Text: markdown.Fenced(strings.TrimSuffix(text, "\n")), Data: text}, err
}

// kill ends a process.
func (d Deps) kill(_ context.Context, by Request) (Answer, error) {
	n, err := processNumber("kill", by.Args)
	if err != nil {
		return Answer{}, err
	}
	if err := d.Processes.Stop(by.Chat, n); err != nil {
		return Answer{}, err
	}
	return Answer{Text: fmt.Sprintf("process %d is stopped.", n)}, nil
}

// background lets a process outlive its turn.
func (d Deps) background(_ context.Context, by Request) (Answer, error) {
	n, err := processNumber("background", by.Args)
	if err != nil {
		return Answer{}, err
	}
	if err = d.Processes.Keep(by.Chat, n); err != nil && d.KeepHint != "" {
		err = fmt.Errorf("%w. %s", err, d.KeepHint)
	}
	return Answer{Text: fmt.Sprintf("process %d runs on until hob ends.", n)}, err
}

// processNumber parses the number of a process.
func processNumber(name, args string) (int, error) {
	n, err := strconv.Atoi(args)
	if err != nil {
		return 0, fmt.Errorf("/%s needs the number of a process, such as /%s 1: /ps lists them", name, name)
	}
	return n, nil
}
