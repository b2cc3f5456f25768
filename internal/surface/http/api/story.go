package api

import "encoding/json"

// StoryState answers GET /api/v1/story. The state_patch of a [ChatReply] applies to it.
type StoryState struct {
	State     json.RawMessage `json:"state"`      // in hob's own form, secrets included
	StateHash string          `json:"state_hash"` // equal states have equal hashes
	Campaign  string          `json:"campaign"`
	Turn      int64           `json:"turn"` // the newest
}

// StoryMap answers GET /api/v1/map: the map as players know it. X grows to the east, Y to the south.
type StoryMap struct {
	Campaign string    `json:"campaign"`
	Turn     int64     `json:"turn"`
	Title    string    `json:"title"`
	Layer    string    `json:"layer"` // area: X and Y are cells of a grid; zone: metres
	Rooms    []MapRoom `json:"rooms"`
	Links    []MapLink `json:"links"`
	Beyond   int       `json:"beyond"` // known places that are not among the rooms
	North    bool      `json:"north"`  // whether directions mean something
}

// MapRoom is a place on a map. Where nobody was yet, ID and Name are "".
type MapRoom struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	X       int64    `json:"x"`
	Y       int64    `json:"y"`
	Radius  int64    `json:"radius,omitempty"` // metres, of a zone
	Visited bool     `json:"visited"`
	Current bool     `json:"current"` // the one who acts is there
	Up      bool     `json:"up,omitempty"`
	Down    bool     `json:"down,omitempty"`
	Party   []string `json:"party,omitempty"` // the names of those who are there
}

// MapLink is a way between two rooms, by their places in the list.
type MapLink struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	OneWay bool   `json:"one_way,omitempty"`
	Door   string `json:"door,omitempty"` // open, closed or locked
	Dir    string `json:"dir,omitempty"`  // n, ne, e, se, s, sw, w, nw, u or d
}
