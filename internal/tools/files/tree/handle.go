package tree

import (
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

// IsHandle reports whether a path is meant to name a stored result, such as "out:7", be it rightly written or not. Such a
// name is never that of a file.
func IsHandle(path string) bool {
	path = strings.TrimSpace(path)
	return len(path) >= 4 && strings.EqualFold(path[:4], "out:")
}

// notAFile is the error of a tool that a stored result is nothing for.
func notAFile(handle string) *tools.Error {
	return tools.Invalid(event.CodeInvalidValue, "%s names a stored result, not a file: it can only be read and searched",
		display.Quote(handle)).Suggest("use read_file or search_files")
}
