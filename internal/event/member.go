package event

import "time"

// Member is a member of a group as its platform describes them. The texts are the member's own, so
// a stranger's.
type Member struct {
	ID     int64  // on the platform
	Name   string // one line, as they call themselves; "": unknown
	Handle string // user name without the @; "": none
	Bot    bool

	Role     string   // creator, administrator, member, restricted, left or kicked; "": not asked
	Rights   []string // of an administrator, in the platform's terms; a creator has all
	Editable bool     // the bot may change the rights of this administrator
	Muted    bool     // may not write, until Until
	Until    time.Time
}

// In reports whether the member is in the group.
func (m Member) In() bool { return m.Role != "left" && m.Role != "kicked" && m.Role != "" }
