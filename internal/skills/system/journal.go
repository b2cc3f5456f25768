package system

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	someLines = 30
	mostLines = 200
	maxLine   = 300      // bytes of a line of a log
	maxLog    = 12 << 10 // bytes of a log
	maxUnit   = 200
	maxSince  = 40
	maxGrep   = 200
)

type logIn struct {
	Unit  string `json:"unit,omitempty" jsonschema:"such as ssh"`
	Lines int    `json:"lines,omitempty" jsonschema:"30 if not given"`
	Since string `json:"since,omitempty" jsonschema:"today, 2h, 2026-11-22"`
	Grep  string `json:"grep,omitempty" jsonschema:"words in the line"`
}

func (m machine) log(ctx context.Context, in logIn) (tools.Result, error) {
	argv, err := in.argv()
	if err != nil {
		return tools.Result{}, err
	}
	out, err := m.Run(ctx, argv)
	res := tools.Result{Label: event.Label{Untrusted: true, Private: true, Source: "journal"}}
	said, blind := entries(out)
	none := strings.Contains(out, "No journal files were found")
	if err != nil && len(said) == 0 && !blind && !none && !strings.Contains(out, "-- No entries --") {
		switch {
		case strings.Contains(out, "Failed to parse timestamp"):
			return tools.Result{}, errNoTime()
		case strings.Contains(out, "pattern matching"):
			return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "grep: the journal of this machine cannot be searched").
				Suggest("read it without grep")
		}
		return res, systemdError(ctx, out, err)
	}
	switch {
	case len(said) > 0:
		res.Text = strings.Join(said, "\n")
	case none:
		res.Text = "this machine keeps no journal; the owner can look for log files in /var/log"
	case in.Unit != "":
		res.Text = "the journal has nothing of " + in.Unit + " that fits; service_list tells the names of units"
	default:
		res.Text = "the journal has nothing that fits"
	}
	if blind {
		res.Text += "\n(hob may not read what the system and other users log: the owner can add hob's user to the group systemd-journal " +
			"or adm and start hob again)"
	}
	return res, nil
}

// argv is the command line. Each value stands behind a "=", so that none can be an option.
func (in *logIn) argv() ([]string, error) {
	in.Unit = strings.TrimSpace(in.Unit)
	since, sinceOK := sinceOf(in.Since)
	grep := display.Visible(in.Grep)
	switch {
	case len(in.Unit) > maxUnit || strings.ContainsFunc(in.Unit, func(r rune) bool { return !unitRune(r) }) || strings.HasPrefix(in.Unit, "-"):
		return nil, tools.Invalid(event.CodeInvalidValue, "unit: is no name of a unit").Suggest("service_list tells the names")
	case !sinceOK:
		return nil, errNoTime()
	case len(grep) > maxGrep:
		return nil, tools.Invalid(event.CodeInvalidValue, "grep: has more than %d bytes", maxGrep).Suggest("give a word or two")
	}
	if in.Lines <= 0 {
		in.Lines = someLines
	}
	// The newest come first, so that what is cut off is old.
	argv := []string{"journalctl", "--no-pager", "--no-hostname", "--output=short-iso", "--reverse"}
	argv = append(argv, fmt.Sprintf("--lines=%d", min(in.Lines, mostLines)))
	if in.Unit != "" {
		argv = append(argv, "--unit="+in.Unit)
	}
	if since != "" {
		argv = append(argv, "--since="+since)
	}
	if grep != "" {
		argv = append(argv, "--case-sensitive=no", "--grep="+literal(grep))
	}
	return argv, nil
}

func errNoTime() error {
	return tools.Invalid(event.CodeInvalidValue, "since: is no time").Suggest("write it like today, 2h or 2026-11-22 10:00")
}

// unitRune reports whether r can be in the name of a unit.
func unitRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("@._:-\\", r)
}

// sinceOf is a time as systemd reads it: what has a unit and no date, such as 2h, is so long ago.
func sinceOf(since string) (string, bool) {
	since = strings.TrimSpace(since)
	odd := func(r rune) bool { return !unitRune(r) && r != ' ' && r != '+' || r == '\\' || r == '@' || r == '_' }
	if len(since) > maxSince || strings.ContainsFunc(since, odd) {
		return "", false
	}
	span := since != "" && '0' <= since[0] && since[0] <= '9' && !strings.ContainsAny(since, ":-") && strings.Trim(since, "0123456789. ") != ""
	if span && !strings.HasSuffix(since, " ago") {
		since += " ago"
	}
	return since, true
}

// literal is a pattern that means the words as they stand.
func literal(words string) string {
	var out strings.Builder
	for _, r := range words {
		if r < unicode.MaxASCII && unicode.In(r, unicode.P, unicode.S) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// entries returns what was logged, the oldest first, as much of the newest as a model is shown; and whether there may be
// more that hob may not see. A line that is indented belongs to the one before it, and all that was logged begins with a time:
// what does not are journalctl's own words, which come last.
func entries(out string) (said []string, blind bool) {
	for line := range strings.Lines(out) {
		words := display.TruncateBytes(display.Visible(line), maxLine)
		switch {
		case words == "" || words == "-- No entries --" || strings.HasPrefix(line, "-- Journal begins"):
		case strings.HasPrefix(line, "Hint: You are currently not seeing"), strings.HasPrefix(line, "No journal files were opened due to"):
			blind = true
		case (line[0] == ' ' || line[0] == '\t') && len(said) > 0 && !blind:
			last := &said[len(said)-1]
			*last = display.TruncateBytes(*last+" / "+words, maxLine)
		case '0' <= line[0] && line[0] <= '9', strings.HasPrefix(line, "-- "): // a time, or a start of the machine
			said = append(said, words)
		}
	}
	kept, size := 0, 0
	for kept < len(said) && size+len(said[kept]) <= maxLog {
		size += len(said[kept]) + 1
		kept++
	}
	said = said[:kept]
	slices.Reverse(said)
	return said, blind
}
