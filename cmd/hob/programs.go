package main

import (
	"hob/internal/pdf"
	"hob/internal/sandbox/probe"
)

// programs are those within this binary that are run behind walls, by name.
func programs() map[string]func(args []string) int {
	return map[string]func(args []string) int{
		pdf.Name:   pdf.Main,
		probe.Name: probe.Main,
	}
}
