// Command zip makes what a module proxy has of one version, as tools/package/renamed needs it:
//
//	zip FOLDER example.org/household/hob@v0.1.0 OUT
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "zip: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("say the folder of the sources, PATH@VERSION and the folder for what is made")
	}
	path, version, _ := strings.Cut(args[1], "@")
	text, err := os.ReadFile(filepath.Join(args[0], "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"list": version + "\n", version + ".mod": string(text), version + ".info": `{"Version":"` + version + `"}`} {
		if err := os.WriteFile(filepath.Join(args[2], name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(args[2], version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(f, module.Version{Path: path, Version: version}, args[0]); err != nil {
		return err
	}
	return f.Close()
}
