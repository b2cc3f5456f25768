package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
)

func allowCommand(a *program) *cobra.Command {
	var as, name string
	var remove, asJSON bool
	cmd := &cobra.Command{
		Use: "allow [ID]", Short: "who may talk to hob over Telegram",
		Long: "allow lists who may talk to hob over Telegram. With the number that Telegram has given a person it lets them in: the\n" +
			"first as owner, later ones as user, unless --as says otherwise. The number of a group, which is negative, lets that\n" +
			"group in: there hob answers whoever mentions it, with tools that only look. hob pair needs no number.",
		Example: "  hob allow                     who is in\n" +
			"  hob allow 4711 --as admin     somebody you trust\n" +
			"  hob allow -1001234567890      a group\n" +
			"  hob allow 4711 --remove       no longer",
		Args: cobra.MaximumNArgs(1),
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if remove || as != "" || name != "" {
					return exit.Errorf(exit.Usage, "say whom: hob allow ID, of those that hob allow lists")
				}
				return a.listPeople(ctx, s, asJSON)
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id == 0 {
				return exit.Errorf(exit.Usage, "%q is no number of a person or group: names can be taken by others, so only the number counts; hob pair "+
					"needs none", args[0])
			}
			if remove {
				return a.forgetPerson(ctx, s, id, asJSON)
			}
			return a.allowPerson(ctx, s, event.Person{Platform: chat.Platform, ID: id, Name: name, By: "owner"}, as, asJSON)
		}),
	}
	cmd.Flags().StringVar(&as, "as", "", "what they may do: owner, admin or user")
	cmd.Flags().StringVar(&name, "name", "", "what you call them, for the list")
	cmd.Flags().BoolVar(&remove, "remove", false, "let them in no longer")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	cmd.MarkFlagsMutuallyExclusive("as", "remove")
	return cmd
}

// groupsLast puts the number of a group, which looks like a flag, behind all that are.
func groupsLast(args []string) []string {
	if !slices.Contains(args, "allow") || slices.Contains(args, "--") {
		return args
	}
	isGroup := func(arg string) bool {
		n, err := strconv.ParseInt(arg, 10, 64)
		return err == nil && n < 0
	}
	i := slices.IndexFunc(args, isGroup)
	if i < 0 {
		return args
	}
	return slices.Concat(args[:i], args[i+1:], []string{"--", args[i]})
}

func (a *program) listPeople(ctx context.Context, s *app.Environment, asJSON bool) error {
	all := []event.Person{}
	err := s.WithJournal(ctx, func(db *store.DB) error {
		some, err := db.People().People(ctx, chat.Platform)
		all = append(all, some...)
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nobody may talk to hob over Telegram: hob pair lets you in.")
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tAS\tSINCE\tBY")
	for _, p := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", p.ID, display.Clean(p.Name), role(p), p.Since.Local().Format("2006-01-02 15:04"), display.Clean(p.By))
	}
	return w.Flush()
}

// role is a person's level, in the words of --as.
func role(p event.Person) string {
	switch {
	case p.ID < 0:
		return "group"
	case p.Level == event.BotAdmin:
		return "admin"
	}
	return p.Level.String()
}

func (a *program) allowPerson(ctx context.Context, s *app.Environment, p event.Person, as string, asJSON bool) error {
	p, err := s.AddPerson(ctx, p, as)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		return a.printJSON(p)
	case p.ID < 0:
		_, err = fmt.Fprintf(a.stdout, "In group %d hob answers whoever mentions it. hob allow %d --remove ends that.\n", p.ID, p.ID)
	default:
		_, err = fmt.Fprintf(a.stdout, "%d may talk to hob, as %s. hob allow %d --remove ends that.\n", p.ID, app.DescribeLevel(p.Level), p.ID)
	}
	return err
}

func (a *program) forgetPerson(ctx context.Context, s *app.Environment, id int64, asJSON bool) error {
	there := false
	err := s.WithJournal(ctx, func(db *store.DB) (err error) {
		there, err = db.People().ForgetPerson(ctx, chat.Platform, id)
		return err
	})
	switch {
	case err != nil:
		return err
	case !there:
		return exit.Errorf(exit.Usage, "%d was not let in: hob allow lists who is", id)
	case asJSON:
		return a.printJSON(struct {
			Removed int64 `json:"removed"`
		}{id})
	}
	fmt.Fprintf(a.stdout, "%d is let in no longer.\n", id)
	open, err := s.OpenTurns(ctx)
	for _, c := range open {
		if name := fmt.Sprintf("%s/%d", chat.Platform, id); strings.HasPrefix(string(c.Chat)+"/", name+"/") {
			fmt.Fprintf(a.stdout, "What was asked for in %s before that goes on: hob stop %s ends it.\n", c.Chat, c.Chat)
		}
	}
	return err
}
