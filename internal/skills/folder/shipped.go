package folder

import (
	"embed"
	"io/fs"
)

//go:embed all:shipped
var shippedFiles embed.FS

// Shipped are the skills that come with hob. A root of them comes last, so that a person's own of the same name wins.
func Shipped() Root {
	sub, err := fs.Sub(shippedFiles, "shipped")
	if err != nil {
		return Root{FS: shippedFiles} // cannot be: the name is a valid path
	}
	return Root{FS: sub}
}
