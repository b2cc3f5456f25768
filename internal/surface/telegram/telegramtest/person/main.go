// Command person is a Bot API with one person in it, for tools/package-test, where hob is a program and not a package:
//
//	person 127.0.0.1:8081
//
// Ana, whose number is 7, says each line of standard input to the bot; what the bot sends to her, or changes, is a line of
// standard output. The token is the one of telegramtest.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"hob/internal/surface/telegram/telegramtest"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "person: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("say on which address, such as 127.0.0.1:8081")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	api := telegramtest.New(telegramtest.Options{})
	server := &http.Server{Addr: args[0], Handler: api}
	defer server.Close()
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()

	ana := api.User(7, "Ana")
	chat := api.Private(ana)
	go show(ctx, api, chat, out)
	said := make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			chat.Say(ana, lines.Text())
		}
		said <- lines.Err()
	}()
	select {
	case err := <-ended: // nobody can listen there
		return err
	case err := <-said:
		return err
	}
}

// show prints what the bot sends, each text once, until the context ends.
func show(ctx context.Context, api *telegramtest.Server, chat *telegramtest.Chat, out io.Writer) {
	texts := map[int64]string{}
	for {
		var fresh []string
		err := api.Wait(ctx, func() bool {
			for _, m := range chat.FromBot() {
				if texts[m.ID] != m.Text {
					texts[m.ID] = m.Text
					fresh = append(fresh, m.Text)
				}
			}
			return len(fresh) > 0
		})
		for _, text := range fresh {
			fmt.Fprintln(out, strings.ReplaceAll(text, "\n", " / "))
		}
		if err != nil {
			return
		}
	}
}
