package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/jsonl"
	"hob/internal/surface/cli"
)

func intentCommand(a *program) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use: "intent --jsonl", Short: "say which chores are understood without a model", Args: cobra.NoArgs,
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, _ []string) error {
			if !asLines {
				return exit.Errorf(exit.Usage, "intent reads JSON Lines: hob intent --jsonl <sentences.jsonl")
			}
			sentences, err := s.Sentences()
			if err != nil {
				return err
			}
			return jsonl.Answer(ctx, a.stdin, a.stdout, func(out io.Writer, n int, line []byte) error {
				var in struct {
					Text string `json:"text"`
					Lang string `json:"lang"`
					Now  string `json:"now"`  // RFC 3339; "" is now
					Zone string `json:"zone"` // of the person; "": the zone of Now, or of this machine
				}
				if err := json.Unmarshal(line, &in); err != nil {
					return exit.Errorf(exit.Usage, "line %d: %v", n, err)
				}
				now, err := timeOf(in.Now, in.Zone)
				if err != nil {
					return exit.Errorf(exit.Usage, "line %d: %v", n, err)
				}
				r := sentences.ReadIn(in.Lang, in.Text).At(now)
				if r.Near { // it refers to a reminder shown before, and there is no chat here
					r = intents.Reading{}
				}
				return cli.WriteJSON(out, r)
			})
		}),
	}
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "read and print JSON Lines")
	return cmd
}

// timeOf parses a time in RFC 3339, "" for now. It returns it in zone, or in its own zone for "".
func timeOf(text, zone string) (time.Time, error) {
	now := time.Now()
	if text != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, text); err != nil {
			return now, fmt.Errorf("now: %q is no time such as 2026-11-25T18:00:00+01:00", text)
		}
	}
	if zone == "" {
		return now, nil
	}
	in, err := time.LoadLocation(zone)
	if err != nil {
		return now, fmt.Errorf("zone: there is no time zone %q", zone)
	}
	return now.In(in), nil
}
