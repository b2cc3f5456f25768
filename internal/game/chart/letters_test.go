package chart

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// There are letters for English, Russian and Chinese names: all of GB 2312's level 1 is 3,755.
func TestLetters(t *testing.T) {
	want := []rune("0123456789.,:;!?'’“”«»()-–—…&№，。！？：；、（）《》·")
	for r := 'A'; r <= 'Z'; r++ {
		want = append(want, r, r+'a'-'A')
	}
	for r := 'А'; r <= 'Я'; r++ {
		want = append(want, r, r+'а'-'А')
	}
	want = append(want, []rune("ЁёІіЇїЄєҐґЎўÀÉÎÕÜßàéîõüñçøåžščłő")...)
	han := 0
	decode := simplifiedchinese.GBK.NewDecoder()
	for row := byte(16); row <= 55; row++ {
		for cell := byte(1); cell <= 94 && (row < 55 || cell <= 89); cell++ {
			b, err := decode.Bytes([]byte{0xa0 + row, 0xa0 + cell})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, []rune(string(b))...)
			han++
		}
	}
	if han != 3755 {
		t.Errorf("level 1 has %d letters", han)
	}
	l := newLetters()
	for _, r := range want {
		wide, known := l.advance(r, large)
		outlines := l.outlines(r)
		if !known || wide <= 0 || len(outlines) == 0 {
			t.Errorf("there is no %q", r)
		}
		for _, o := range outlines {
			if len(o) < 3 || o[0].bends {
				t.Errorf("an outline of %q has %d points", r, len(o))
			}
			for _, k := range o {
				if k.x < -em || k.x > 2*em || k.y < -2*em || k.y > em {
					t.Errorf("%q goes off to %v", r, k.point)
				}
			}
		}
	}
	if l.outlines(' ') != nil && len(l.outlines(' ')) > 0 {
		t.Error("a space is drawn")
	}
	if _, known := l.advance('龘', small); known {
		t.Error("a rare letter is there")
	}
	if len(glyphs) > 1_500_000 {
		t.Errorf("the letters take %d bytes of the program", len(glyphs))
	}
}

// Text can be read on all that it stands on: the contrast is at least 4.5, as WCAG 2 asks of text
// (https://www.w3.org/TR/WCAG22/#contrast-minimum), and that of walls and signs 3.
func TestContrast(t *testing.T) {
	for _, dark := range []bool{false, true} {
		inks := colours(dark)
		for _, c := range []struct {
			over  ink
			under []ink
			least float64
		}{
			{text, []ink{page, floor, stone, grass, water}, 4.5}, {hereText, []ink{here}, 4.5}, {badgeText, []ink{badge}, 4.5},
			{edgeInk, []ink{page, floor, stone, road, badge}, 3}, {fogInk, []ink{page}, 3}, {here, []ink{hereText}, 3},
		} {
			for _, under := range c.under {
				// The dark scheme's padlock has a dark keyhole on its light body, as the light one's has.
				if got := contrast(inks[c.over], inks[under]); got < c.least && !(dark && under == badge) {
					t.Errorf("dark %v: ink %d on %d has a contrast of %.1f", dark, c.over, under, got)
				}
			}
		}
	}
}

// contrast is that of WCAG 2, with the square in the place of its curve, which is near enough.
func contrast(a, b uint32) float64 {
	light := func(c uint32) float64 {
		part := func(shift int, weight float64) float64 {
			v := float64(c>>shift&255) / 255
			return weight * v * v
		}
		return part(16, 0.2126) + part(8, 0.7152) + part(0, 0.0722)
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Names of three scripts stand in the picture. What has a letter that is missing has a number, which the legend explains.
func TestNamesInThreeScripts(t *testing.T) {
	m := Map{Rooms: []Room{{Name: "The Foot of the Tower", Visited: true, Current: true}, {Name: "Водохранилище", X: 1, Visited: true},
		{Name: "会唱歌的水壶", Y: 1, Visited: true}, {Name: "龘龘之屋", X: 1, Y: 1, Visited: true}}}
	p, err := PNG(m)
	if got := strings.Join(p.Legend, "; "); err != nil || got != "1 龘龘之屋" {
		t.Errorf("the legend is %q", got)
	}
	a := newArtist(newPlan(m), pngLook())
	for i, room := range a.m.Rooms[:3] {
		if got := strings.ReplaceAll(strings.Join(a.tags[i].lines, ""), " ", ""); got != strings.ReplaceAll(room.Name, " ", "") {
			t.Errorf("%s is written %q", room.Name, a.tags[i].lines)
		}
	}
	// On a phone that is 360 points wide, the names of a map of three columns have 9 points or more.
	if size := a.tags[0].size * 360 / p.Width; size < 9 {
		t.Errorf("names are %d points high on a phone", size)
	}
}

// The trail goes along the edges, and where a step has none through rooms that were visited.
func TestTrail(t *testing.T) {
	visited := func(x int64) Room { return Room{Name: "n", X: x, Visited: true} }
	p := newPlan(Map{
		Rooms: []Room{visited(0), visited(1), visited(2), {X: 3}, visited(4)},
		Links: []Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 0, To: 3}},
		Trail: []int{0, 2, 4, -1, 99, 2},
	})
	var walked []int
	for i, e := range p.edges {
		if e.walked {
			walked = append(walked, i)
		}
	}
	if len(walked) != 2 || walked[0] != 0 || walked[1] != 1 {
		t.Errorf("the trail goes along %v", walked)
	}
}
