package main

import (
	"hob/internal/pdf"
	"hob/internal/sandbox"
)

// programs are those within this binary that are run behind walls, by name.
func programs() map[string]func(args []string) int {
	all := sandbox.Programs()
	all[pdf.Name] = pdf.Main
	return all
}
