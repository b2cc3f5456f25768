package narration_test

import (
	"strings"
	"testing"

	"hob/internal/game/narration"
)

// An hour, a door that slams and a beast without a name are held against the turn.
func TestHours(t *testing.T) {
	scripts := secondScripts(t, "blind_turns.txt")
	for line := range strings.Lines(`
b_shawl|en|time|You pick up the shawl. Somewhere a clock strikes midnight.
b_shawl|en|time|You pick up the shawl. It is ten to four.
b_shawl|en||You pick up the shawl. Is it midnight yet?
b_shawl|en||You pick up the shawl. It is half past nine.
b_shawl|en|state|You pick up the shawl, and the door slams behind you.
b_shawl|en||You pick up the shawl. No door slams.
b_shawl|ru|time|Вы берёте шаль. Уже половина четвёртого.
b_shawl|ru|time|Вы берёте шаль. Без четверти двенадцать.
b_shawl|ru||Вы берёте шаль. Половина десятого.
b_shawl|zh|time|你捡起披肩。已经四点半了。
b_shawl|zh||你捡起披肩。九点半了。
b_hit|en|death|The beast dies.
b_hit|en||The light dies.
`) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) != 4 {
			continue
		}
		flags := narration.Check(secondTurn(t, scripts[parts[0]], parts[1]), parts[3])
		if got := strings.Join(kinds(flags), ","); got != parts[2] {
			t.Errorf("%s: %q, want %q: %v", line, got, parts[2], flags)
		}
	}
}
