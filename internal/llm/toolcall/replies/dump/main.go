// Command dump prints the labelled replies as lines of `hob model parse --jsonl`, each with its shape and label, which hob
// does not read: first those by hand, then the generated ones.
//
//	go run ./internal/llm/toolcall/replies/dump internal/llm/toolcall/testdata/replies | hob model parse --jsonl
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"hob/internal/llm/toolcall/replies"
)

func main() {
	if err := dump(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}

func dump(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give the folder of the replies, such as internal/llm/toolcall/testdata/replies")
	}
	box, all, err := replies.Read(os.DirFS(args[0]))
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, r := range append(all, replies.Generate(all)...) {
		err := out.Encode(struct {
			Shape      string         `json:"shape"`
			Raw        string         `json:"raw"`
			User       string         `json:"user,omitempty"`
			DoneReason string         `json:"done_reason,omitempty"`
			Want       replies.Label  `json:"want"`
			Looks      []string       `json:"looks"`
			Tools      []replies.Tool `json:"tools"`
		}{r.Shape, r.Raw, r.User, r.DoneReason, r.Want, box.Looks, box.Set(r.Tools)})
		if err != nil {
			return err
		}
	}
	return nil
}
