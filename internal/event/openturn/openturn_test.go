package openturn_test

import (
	"testing"

	"hob/internal/event/openturn"
)

type shown struct {
	openturn.Turn

	words string
}

func TestList(t *testing.T) {
	tea, coffee := &shown{openturn.Turn{Seq: 3, Parked: true}, "tea"}, &shown{openturn.Turn{Seq: 7}, "coffee"}
	all := openturn.List[*shown]{tea, coffee}
	if got := all.Running(); got != coffee {
		t.Errorf("%+v runs", got)
	}
	if got := all.Find(3); got != tea {
		t.Errorf("the turn 3 is %+v", got)
	}
	if got := all.Find(4); got != nil {
		t.Errorf("the turn 4 is %+v", got)
	}
	if all.Close(7); len(all) != 1 || all.Running() != nil {
		t.Errorf("%d turns are left, and %+v runs", len(all), all.Running())
	}
}
