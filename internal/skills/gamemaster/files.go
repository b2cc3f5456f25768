package gamemaster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/game/chart"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules/land"
	"hob/internal/game/show"
	"hob/internal/tools"
)

// The files of a story are made when they are read: a turn always gives the same bytes. A path is
// this prefix, the campaign, the turn and the kind of file.
const filePrefix = "story:"

// IsFile reports whether a path is that of a story's file.
func IsFile(path string) bool { return strings.HasPrefix(path, filePrefix) }

// isVisual reports whether the caller's surface shows pictures, files and buttons.
func (m *Master) isVisual(caller tools.Caller) bool {
	return slices.Contains(m.cfg.Visual, caller.Platform)
}

// filesFor returns files for a surface that shows them, none for any other.
func (m *Master) filesFor(caller tools.Caller, files ...event.File) []event.File {
	if !m.isVisual(caller) {
		return nil
	}
	return files
}

// file returns a file of the story as it is now; the last part of its path says what is in it.
func (camp *campaign) file(what, media string) event.File {
	name := what
	if what == "story.jsonl" {
		name = camp.id + ".jsonl"
	}
	return event.File{Name: name, Type: media, Path: fmt.Sprintf("%s%s/%d/%s", filePrefix, camp.id, camp.Head(), what)}
}

// mapFiles returns the map as it is now, for a surface that shows pictures: nothing where nothing is drawn, as in a tale of choices. A
// legend explains its numbers and signs: the map has no letters for some names.
func (tn turn) mapFiles() []event.File {
	drawn := land.Picture(tn.World(), land.View{})
	if len(drawn.Rooms) == 0 {
		return nil
	}
	f := tn.file("map.png", "image/png")
	f.StateOf = "map/" + tn.id
	f.Caption, _ = chart.Caption(chart.Legend(drawn), mostCaption)
	return tn.m.filesFor(tn.caller, f)
}

// redrawnMap returns the map that replaces the one that was sent before.
func (tn turn) redrawnMap() []event.File {
	files := tn.mapFiles()
	for i := range files {
		files[i].Refresh = true
	}
	return files
}

// mostCaption is the longest caption on Telegram, in units of UTF-16 (Bot API, sendPhoto).
const mostCaption = 1024

// OpenFile returns the bytes of a story's file.
func (m *Master) OpenFile(ctx context.Context, f event.File) (io.ReadCloser, error) {
	part := strings.Split(strings.TrimPrefix(f.Path, filePrefix), "/")
	if !IsFile(f.Path) || len(part) != 3 {
		return nil, fmt.Errorf("there is no file %q in a story", f.Name)
	}
	turn, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("there is no file %q in a story", f.Name)
	}
	var out bytes.Buffer
	err = m.open(ctx, part[0], func(camp *campaign) error {
		out.Reset()
		if part[2] == "story.jsonl" {
			return eventlog.Export(ctx, m.cfg.Campaigns.Log(camp.id), &out)
		}
		w, err := camp.At(ctx, turn)
		if err != nil {
			return err
		}
		trail, err := camp.Trail(ctx, turn, "")
		if err != nil {
			return err
		}
		b, err := drawFile(land.Picture(w, land.View{Trail: trail}), strings.TrimPrefix(part[2], "map."))
		out.Write(b)
		return err
	})
	return io.NopCloser(&out), err
}

// drawFile returns a map as a file: svg or png.
func drawFile(m chart.Map, format string) ([]byte, error) {
	switch format {
	case "svg":
		return []byte(chart.SVG(m)), nil
	case "png":
		p, err := chart.PNG(m)
		return p.PNG, err
	}
	return nil, fmt.Errorf("draw map: there is no format %q", format)
}

// drawMap returns a map that a tool has drawn: as text, or as files. No secret is in it.
func (tn turn) drawMap(result []byte) (text string, files []event.File) {
	switch {
	case bytes.Contains(result, []byte(`"format":"png"`)):
		return tn.say("map"), tn.mapFiles()
	case bytes.Contains(result, []byte(`"format":"svg"`)):
		return tn.say("map"), tn.m.filesFor(tn.caller, tn.file("map.svg", "image/svg+xml"))
	}
	return show.Map(tn.World(), tn.lang(), tn.World().Self().Active, mapWidth), nil
}

// look describes the place of a player's character.
func (camp *campaign) look(actor string) string {
	return show.Look(camp.World(), camp.m.book, camp.lang(), actor)
}
