package jsonl_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"hob/internal/jsonl"
)

func echo(out io.Writer, n int, line []byte) error {
	if string(line) == "bad" {
		return errors.New("no line")
	}
	_, err := fmt.Fprintf(out, "%d %s\n", n, line)
	return err
}

func TestAnswer(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"a\n\n  b \r\nc":           "1 a\n3 b\n4 c\n",
		"a\nbad\nc\n":              "1 a\n",
		strings.Repeat("x", 1<<17): "1 " + strings.Repeat("x", 1<<17) + "\n",
	} {
		var out strings.Builder
		err := jsonl.Answer(t.Context(), strings.NewReader(in), &out, echo)
		if out.String() != want || (err != nil) != strings.Contains(in, "bad") {
			t.Errorf("%.20q is answered %.40q, %v", in, out.String(), err)
		}
	}
}

// A caller that sends a line only after the answer to the one before is not kept waiting, even with half a line sent already.
func TestAnswerBeforeTheNextLine(t *testing.T) {
	in, send := io.Pipe()
	receive, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- jsonl.Answer(t.Context(), in, out, echo) }()
	answers := bufio.NewReader(receive)
	for i, text := range []string{"a\nb", "\nc", "\n"} {
		if _, err := io.WriteString(send, text); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.ReadString('\n'); err != nil || got != fmt.Sprintf("%d %c\n", i+1, 'a'+i) {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if err := errors.Join(send.Close(), <-done); err != nil {
		t.Error(err)
	}
}

func TestAnswerEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	err := jsonl.Answer(ctx, strings.NewReader("a\nb\n"), &out, func(out io.Writer, n int, line []byte) error {
		cancel()
		return echo(out, n, line)
	})
	if !errors.Is(err, context.Canceled) || out.String() != "1 a\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// A value is one line, and as few bytes as JSON needs.
func TestMarshal(t *testing.T) {
	got, err := jsonl.Marshal(map[string]string{"a": "<b>&\n"})
	if string(got) != `{"a":"<b>&\n"}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := jsonl.Marshal(func() {}); err == nil {
		t.Errorf("%s", got)
	}
}

// Members are in their order, and of what is broken there are none.
func TestMembers(t *testing.T) {
	all, ok := jsonl.Members([]byte(` {"b": [1, {"c":2}], "a":"x", "b":null} `))
	got := ""
	for _, m := range all {
		got += m.Name + "=" + string(m.Value) + ";"
	}
	if want := `b=[1, {"c":2}];a="x";b=null;`; got != want || !ok {
		t.Errorf("%s, %v, want %s", got, ok, want)
	}
	if all, ok := jsonl.Members([]byte("{}")); len(all) != 0 || !ok {
		t.Errorf("{}: %v, %v", all, ok)
	}
	for _, text := range []string{"", "null", "[]", `{"a":`, `{"a":1`, `{"a":1} {}`, `{"a" 1}`, `{1:2}`} {
		if all, ok := jsonl.Members([]byte(text)); ok || all != nil {
			t.Errorf("%q has %v", text, all)
		}
	}
}
