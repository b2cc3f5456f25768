package event

import "time"

// Member is what somebody is in a group, as its platform says. The words in it are their own: a stranger's.
type Member struct {
	ID     int64  // on the platform
	Name   string // one line, as they call themselves; "" where nobody has said
	Handle string // their user name, without the @; "" for none
	Bot    bool

	Role     string   // creator, administrator, member, restricted, left or kicked; "" where nobody was asked
	Rights   []string // of an administrator, as the platform calls them; a creator has all
	Editable bool     // the rights of this administrator are the bot's to change
	Muted    bool     // they may not write, until Until
	Until    time.Time
}

// In reports whether they are in the group.
func (m Member) In() bool { return m.Role != "left" && m.Role != "kicked" && m.Role != "" }
