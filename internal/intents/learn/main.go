// Command learn makes likely.bin, the classifier that guesses at chores, of the labelled sentences in testdata and of the templates. It takes minutes; run
// it in internal/intents after kinds or many sentences have changed. What testdata/guess has it does not learn from: a test holds the guesses against it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"hob/internal/classify"
	"hob/internal/intents"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

// sentence is a line of the labelled sentences. It has no intent where it is no chore.
type sentence struct{ Text, Lang, Intent string }

// run writes likely.bin, in the folder of the package.
func run() error {
	var all []sentence
	for _, pattern := range []string{"testdata/*.jsonl", "testdata/later/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			some, err := read(file)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			all = append(all, some...)
		}
	}
	models, learning, lock := map[string]string{}, sync.WaitGroup{}, sync.Mutex{}
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		learning.Go(func() {
			examples, seen := intents.NewExamples(lang), map[string]bool{}
			for _, s := range all {
				if s.Lang == lang && !seen[s.Text] {
					examples.Add(s.Text, s.Intent != "")
				}
				seen[s.Text] = true
			}
			const each = 2
			examples.MakeUp(each)
			model := examples.Learn()
			lock.Lock()
			defer lock.Unlock()
			models[lang] = model
		})
	}
	learning.Wait()
	return os.WriteFile("likely.bin", []byte(classify.Pack(models)), 0o644)
}

// read returns the sentences of a file.
func read(file string) (all []sentence, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	for d := json.NewDecoder(f); ; {
		var s sentence
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
}
