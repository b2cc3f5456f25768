// Command small is a program with modules in it, for the tests of what makes packages.
package main

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
)

func main() { fmt.Println(module.CheckPath("hob"), cmp.Equal(1, 1)) }
