// Package arch holds the module's structure against its table: which package may import which, and what no package may
// have. The tests read the sources; there is nothing to call.
//
// To add a package or an arrow, change the table in imports_test.go in the same commit and say why in its message.
package arch
