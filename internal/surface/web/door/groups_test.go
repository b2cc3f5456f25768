package door_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/surface/web/door"
)

// asked is who is in the one group that there is.
type asked struct {
	in    map[int64]bool
	err   error
	times int
}

func (a *asked) IsMember(_ context.Context, p door.Person, _ event.Chat) (bool, error) {
	a.times++
	return a.in[p.ID], a.err
}

// Who is in a group reads it, as long as that is so; where nobody can be asked, what was known holds for a while, and nobody new is let in.
func TestMayWatch(t *testing.T) {
	h := newHouse(t)
	who := &asked{in: map[int64]bool{7: true}}
	d, err := door.Open(t.Context(), door.Config{Settings: h.db.Settings(), People: h.db.People(), Members: who, Now: func() time.Time { return h.now }})
	if err != nil {
		t.Fatal(err)
	}
	const group = event.Chat("telegram/-5")
	ada, ben := door.Person{Platform: "telegram", ID: 7, Name: "Ada"}, door.Person{Platform: "telegram", ID: 8}
	may := func(p door.Person, chat event.Chat) bool { return d.MayWatch(t.Context(), p, chat, event.User) }
	if !may(ada, group) || may(ben, group) || !may(ada, "telegram/7") || may(ada, "telegram/8") || may(ada, "main") {
		t.Error("Ada reads her chat and the group, and Ben not the group")
	}
	if may(ada, group); who.times != 2 {
		t.Errorf("it was asked %d times", who.times)
	}
	h.now = h.now.Add(time.Minute)
	who.err = errors.New("down")
	if !may(ada, group) || may(ben, group) || may(door.Person{Platform: "telegram", ID: 9}, group) {
		t.Error("what was known holds for a while, and nobody new is let in")
	}
	h.now = h.now.Add(10 * time.Minute)
	if may(ada, group) {
		t.Error("what was known ten minutes ago holds still")
	}
	who.err = nil
	h.now = h.now.Add(time.Minute)
	if !may(ada, group) {
		t.Error("Ada is in again")
	}
	delete(who.in, 7)
	h.now = h.now.Add(time.Minute)
	if may(ada, group) {
		t.Error("Ada has left the group and reads it still")
	}
}
