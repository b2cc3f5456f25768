// Command dump prints the labelled replies as lines of `hob model parse --jsonl`, each with its shape and label, which hob
// does not read: first those by hand, then the generated ones.
//
//	go run ./internal/llm/toolcall/replies/dump internal/llm/toolcall/testdata/replies | hob model parse --jsonl
//
// dump -prose reads such lines instead and answers each with true where the reply is prose, else false.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	if args[0] == "-prose" {
		return judge()
	}
	box, all, err := replies.Read(os.DirFS(args[0]), "hand.jsonl")
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

func judge() error {
	for in := json.NewDecoder(os.Stdin); ; {
		var r struct {
			Raw   string
			Tools []replies.Tool
		}
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var names []string
		for _, t := range r.Tools {
			names = append(names, t.Name)
		}
		fmt.Println(replies.IsProse(r.Raw, names))
	}
}
