package main

import (
	"hob/internal/pdf"
	"hob/internal/sandbox"
)

// programs are the helpers inside this binary that the sandbox runs, by name.
func programs() map[string]func(args []string) int {
	all := sandbox.Programs()
	all[pdf.Name] = pdf.Main
	return all
}
