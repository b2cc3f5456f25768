package chart_test

import (
	"strconv"

	"hob/internal/game/chart"
)

// dice is a small generator of its own, so that the samples are the same in every release.
type dice uint64

func (d *dice) roll(n int) int {
	*d = *d*6364136223846793005 + 1442695040888963407
	return int(uint64(*d)>>33) % n
}

func names(lang string) []string {
	switch lang {
	case "ru":
		return []string{"Зал", "Старая кузница", "Двор", "Библиотека", "Склеп",
			"Караульная", "Тронный зал", "Кухня", "Ледник", "Сокровищница"}
	case "zh":
		return []string{"大厅", "旧铁匠铺", "院子", "图书馆", "地下墓室", "警卫室", "王座厅", "厨房", "冰窖", "宝库"}
	}
	return []string{"Hall", "Old forge", "Yard", "Library", "Crypt", "Guardroom", "Throne room", "Kitchen", "Ice house", "Treasury"}
}

// dungeon returns a connected map of areas with every sign in it.
func dungeon(n int, seed uint64, lang string) chart.Map {
	d := dice(seed)
	m := chart.Map{Title: "The Old Keep", Lang: lang, North: true}
	switch lang {
	case "ru":
		m.Title = "Старая крепость"
	case "zh":
		m.Title = "古堡"
	}
	taken := map[[2]int64]int{}
	steps := [][2]int64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	for i := range n {
		r := chart.Room{ID: "area_" + strconv.Itoa(i), Name: names(lang)[d.roll(10)], Visited: d.roll(4) > 0, Known: d.roll(3) == 0}
		if i > 0 {
			for {
				from := d.roll(i)
				s := steps[d.roll(4)]
				r.X, r.Y = m.Rooms[from].X+s[0], m.Rooms[from].Y+s[1]
				if _, ok := taken[[2]int64{r.X, r.Y}]; !ok {
					doors := []chart.Door{"", "", "", chart.Open, chart.Closed, chart.Locked}
					m.Links = append(m.Links, chart.Link{From: from, To: i, OneWay: d.roll(6) == 0, Door: doors[d.roll(6)]})
					break
				}
			}
		}
		r.Up, r.Down = d.roll(9) == 0, d.roll(9) == 0
		taken[[2]int64{r.X, r.Y}] = i
		m.Rooms = append(m.Rooms, r)
	}
	m.Rooms[0].Current = true
	m.Rooms[0].Party = []string{"Anna", "Борис", "李雷"}
	if n > 3 {
		m.Rooms[3].Party = []string{"Bo"}
		m.Links = append(m.Links, chart.Link{From: 3, To: n - 1, Dir: "u"})
	}
	return m
}

// land returns a map of zones.
func land(n int, seed uint64, lang string) chart.Map {
	d := dice(seed)
	m := chart.Map{Title: "Westland", Lang: lang, Layer: chart.Zones, North: true}
	for i := range n {
		m.Rooms = append(m.Rooms, chart.Room{Name: names(lang)[d.roll(10)], X: int64(d.roll(160 * n)), Y: int64(d.roll(900)),
			Radius: int64(20 + d.roll(40)), Visited: d.roll(3) > 0, Current: i == 0})
		if i > 0 {
			m.Links = append(m.Links, chart.Link{From: i, To: d.roll(i), OneWay: d.roll(4) == 0})
		}
	}
	m.Rooms[0].Party = []string{"Anna"}
	return m
}
