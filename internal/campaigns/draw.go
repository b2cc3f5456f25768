package campaigns

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"hob/internal/exit"
	"hob/internal/game/chart"
	"hob/internal/game/rules/land"
)

// fileWidth is the width in columns of a map in a text file.
const fileWidth = 78

// Map returns the map of a campaign, or an error if it has no rooms.
func Map(ctx context.Context, t Campaign, view land.View) (m chart.Map, err error) {
	if view.Trail, err = t.Trail(ctx, t.Head(), view.Actor); err != nil {
		return m, err
	}
	switch m = land.Picture(t.World(), view); {
	case len(m.Rooms) > 0:
		return m, nil
	case view.Zones:
		return m, exit.Errorf(exit.Failed, "there is nothing to draw: this world has no zones")
	}
	return m, exit.Errorf(exit.Failed, "there is nothing to draw yet: nobody of the party is in a place")
}

// Draw writes a map to a file, in the format of its extension. legend is the text that does not fit
// into the picture.
func Draw(path string, m chart.Map) (legend []string, err error) {
	err = WriteFile(path, func(w io.Writer) (err error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".svg":
			_, err = io.WriteString(w, chart.SVG(m))
		case ".png":
			var p chart.Picture
			if p, err = chart.PNG(m); err == nil {
				legend = p.Legend
				_, err = w.Write(p.PNG)
			}
		case ".txt":
			_, err = io.WriteString(w, chart.Text(m, fileWidth))
		default:
			err = exit.Errorf(exit.Usage, "%s: a map is a .png, .svg or .txt file", path)
		}
		return err
	})
	return legend, err
}
