// Command gen compiles the files of sentences into the one that the program holds.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"hob/internal/intents"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run compiles sentences/*.toml into sentences.bin, in the folder of the package.
func run() error {
	files, err := filepath.Glob("sentences/*.toml")
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, file := range files {
		var src intents.Source
		meta, err := toml.DecodeFile(file, &src)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if unknown := meta.Undecoded(); len(unknown) > 0 {
			return fmt.Errorf("%s: there is no %s", file, unknown[0])
		}
		compiled, err := intents.Compile(strings.TrimSuffix(filepath.Base(file), ".toml"), src)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		out.WriteString(compiled)
	}
	return os.WriteFile("sentences.bin", []byte(out.String()), 0o644)
}
