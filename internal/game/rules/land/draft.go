package land

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/game/atlas"
	"hob/internal/game/world"
)

// draft is a zone as a model writes it. Required members have their types; unusable optional ones
// are ignored.
type draft struct {
	Name        string          `json:"name"`
	X           *float64        `json:"x"`
	Y           *float64        `json:"y"`
	Description string          `json:"description"`
	Kind        json.RawMessage `json:"zone_type"`
	Size        json.RawMessage `json:"size"`
	Radius      json.RawMessage `json:"radius_m"`
	Tags        json.RawMessage `json:"tags"`
	Subs        json.RawMessage `json:"sub_zones"`
}

type subDraft struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	X           float64 `json:"offset_x"`
	Y           float64 `json:"offset_y"`
	Z           float64 `json:"offset_z"`
}

// readDrafts reads what a model wrote: {"zones":[...]}, the same within {"map":...}, a bare list,
// or a single zone. Fewer zones than were wished for will do, of more the first ones are taken, and
// one that is on the map already is left out. One that lacks its name, its place or its description
// spoils all, for then the model had not understood.
func readDrafts(text string, w zoneRequest) ([]atlas.Zone, error) {
	raw, err := findDrafts(text)
	if err != nil {
		return nil, err
	}
	zones := make([]atlas.Zone, 0, w.count)
	for i, d := range raw[:min(len(raw), w.count)] {
		z, err := d.zone(w)
		if err != nil {
			return nil, fmt.Errorf("zone %d %w", i+1, err)
		}
		if !w.exists(z) {
			zones = append(zones, z)
		}
	}
	if len(zones) == 0 && len(raw) > 0 {
		return nil, errors.New("it has no new zone: all of them are there already")
	}
	return zones, nil
}

// exists reports whether the map has a zone of that name there.
func (w zoneRequest) exists(z atlas.Zone) bool {
	return slices.ContainsFunc(w.existing, func(p *world.Place) bool {
		at := metres(*p.Pos)
		return strings.EqualFold(p.Name, z.Name) && math.Hypot(float64(at.X-z.Centre.X), float64(at.Y-z.Centre.Y)) <= float64(p.Radius)
	})
}

// findDrafts finds the zones in a reply, which may have other words or a fence around its JSON.
func findDrafts(text string) ([]draft, error) {
	err := errors.New("there is no JSON in it")
	for {
		from := strings.IndexAny(text, "{[")
		if from < 0 {
			return nil, err
		}
		text = text[from:]
		inner := strings.TrimLeft(text[1:], " \t\r\n")
		if inner == "" || (text[0] == '{') != (inner[0] == '"') || (text[0] == '[') != (inner[0] == '{') {
			text = text[1:] // a bracket of the other words
			continue
		}
		list, size, bad := decodeDrafts(text)
		if bad != nil {
			return nil, errors.New("its JSON cannot be read")
		}
		if len(list) > 0 {
			return list, nil
		}
		err, text = errors.New("there are no zones in it"), text[size:]
	}
}

// decodeDrafts reads the JSON that text begins with, and how many bytes it has.
func decodeDrafts(text string) (list []draft, size int64, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	if text[0] == '[' {
		err = decoder.Decode(&list)
		return list, decoder.InputOffset(), err
	}
	var reply struct {
		draft
		Zones []draft `json:"zones"`
		Map   struct {
			Zones []draft `json:"zones"`
		} `json:"map"`
	}
	err = decoder.Decode(&reply)
	switch {
	case reply.Zones != nil:
		list = reply.Zones
	case reply.Map.Zones != nil:
		list = reply.Map.Zones
	case reply.Name != "":
		list = []draft{reply.draft}
	}
	return list, decoder.InputOffset(), err
}

// zone returns the draft as a zone that is not placed yet.
func (d draft) zone(w zoneRequest) (atlas.Zone, error) {
	name, description := cleanText(d.Name, maxName), cleanText(d.Description, maxDescription)
	player := metres(w.around)
	switch {
	case name == "":
		return atlas.Zone{}, errors.New("has no name")
	case description == "":
		return atlas.Zone{}, errors.New("has no description")
	case isNumbered(name):
		return atlas.Zone{}, fmt.Errorf("has the name %q, which is a number and no name", name)
	case d.X == nil || d.Y == nil:
		return atlas.Zone{}, errors.New("has no x or y")
	case math.Abs(*d.X-float64(player.X)) > atlas.Box || math.Abs(*d.Y-float64(player.Y)) > atlas.Box:
		return atlas.Zone{}, fmt.Errorf("lies more than %d m from the player", atlas.Box)
	}
	size := strings.ToLower(readText(d.Size))
	extent, ok := atlas.Sized(size)
	if !ok {
		size = atlas.Small
		extent, _ = atlas.Sized(size)
	}
	z := atlas.Zone{
		Name: name, Description: description, Kind: cleanText(readText(d.Kind), 40), Size: size,
		Tags: append(d.tags(), "ai", "generated"), Radius: extent.Usual,
		Centre: atlas.Point{X: roundMetre(*d.X), Y: roundMetre(*d.Y), Z: player.Z},
	}
	if !slices.Contains(atlas.Kinds(), z.Kind) { // a word of the model's own says something, but is none of the kinds that there are
		if word := cleanText(z.Kind, 30); word != "" && word != unknownKind && !slices.Contains(z.Tags, word) {
			z.Tags = append([]string{word}, z.Tags...)
		}
		z.Kind = unknownKind
	}
	if radius, err := strconv.ParseFloat(string(d.Radius), 64); err == nil && radius != 0 {
		z.Radius = extent.Radius(roundMetre(radius))
	}
	z.Subs = d.subs(w, z, extent)
	return z, nil
}

// unknownKind is the kind of a zone that is none of [atlas.Kinds].
const unknownKind = "unknown"

// isNumbered reports whether a name is the word zone and a number, as "Zone 1", "зона 2" or "区块3".
func isNumbered(name string) bool {
	rest := strings.ToLower(name)
	for _, word := range []string{"zone", "area", "зона", "район", "область", "区块", "区域"} {
		if after, ok := strings.CutPrefix(rest, word); ok {
			rest = after
			break
		}
	}
	rest = strings.Trim(rest, " #№_-:.")
	if rest == "" {
		return true
	}
	return !strings.ContainsFunc(rest, func(r rune) bool {
		return !unicode.IsDigit(r) && !strings.ContainsRune("一二三四五六七八九十", r)
	})
}

func readText(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// subs returns the sub zones of a zone, the usual ones where the model wrote too few or too many.
func (d draft) subs(w zoneRequest, z atlas.Zone, extent atlas.Bounds) []atlas.SubZone {
	var drafts []subDraft
	if json.Unmarshal(d.Subs, &drafts) != nil {
		drafts = nil
	}
	list := make([]atlas.SubZone, 0, len(drafts))
	for _, s := range drafts {
		if name := cleanText(s.Name, maxName); name != "" {
			offset := atlas.Within(atlas.Point{X: roundMetre(s.X), Y: roundMetre(s.Y), Z: roundMetre(s.Z)}, z.Radius)
			list = append(list, atlas.SubZone{Name: name, Description: cleanText(s.Description, maxDescription/2), Offset: offset})
		}
	}
	if len(list) < extent.LeastSubs || len(list) > extent.MostSubs {
		return atlas.SubZones(atlas.KeyOf("sub", w.prompt, z.Name), w.lang, z.Kind, z.Size, z.Radius)
	}
	return list
}

// tags returns the model's tags, as far as they are such.
func (d draft) tags() []string {
	var list []string
	if json.Unmarshal(d.Tags, &list) != nil {
		return nil
	}
	kept := make([]string, 0, len(list)+2)
	for _, t := range list {
		if t = cleanText(t, 30); t != "" && t != "ai" && t != "generated" && len(kept) < 6 {
			kept = append(kept, t)
		}
	}
	return kept
}

// roundMetre rounds a number of a model, and keeps it within [atlas.Farthest] of 0.
func roundMetre(v float64) int64 {
	return int64(math.Round(min(max(v, -atlas.Farthest), atlas.Farthest)))
}

// cleanText returns s without the spaces around it and control characters in it, cut to n runes.
func cleanText(s string, n int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n]))
	}
	return s
}
