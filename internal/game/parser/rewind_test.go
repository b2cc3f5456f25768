package parser_test

import (
	"testing"

	"hob/internal/game/parser"
)

// Turns are taken back and done again in a few words, and in no others.
func TestRewind(t *testing.T) {
	type rewind struct {
		what  string
		turns int64
	}
	for words, want := range map[string]rewind{
		"undo": {"undo", 1}, "Undo!": {"undo", 1}, "undo 2": {"undo", 2}, "undo two turns": {"undo", 2}, "undo twice": {"undo", 2}, "undo the last turn": {"undo", 1},
		"undo my last three moves": {"undo", 3}, "take back the last move": {"undo", 1}, "redo": {"redo", 1}, "redo 3": {"redo", 3}, "redo two turns": {"redo", 2},
		"undo the knot": {}, "undo the latch": {}, "undo?": {}, "undo 0": {}, "undo 2 knots": {}, "/undo": {}, "take back the key": {}, "undo and go north": {}, "": {},
		"отмена": {"undo", 1}, "отмени 2": {"undo", 2}, "отмени один ход": {"undo", 1}, "отмени 2 хода": {"undo", 2}, "отменить последний ход": {"undo", 1},
		"отменить дважды": {"undo", 2}, "верни": {"redo", 1}, "вернуть": {"redo", 1}, "вернуть ход": {"redo", 1}, "вернуть два хода": {"redo", 2},
		"верни ключ": {}, "вернуть ключ Марте": {}, "верни два ключа": {}, "отмени встречу": {},
		"撤销": {"undo", 1}, "撤销两步": {"undo", 2}, "撤销2步": {"undo", 2}, "撤销 3": {"undo", 3}, "撤回": {"undo", 1}, "撤回上一步": {"undo", 1}, "悔棋": {"undo", 1},
		"恢复": {"redo", 1}, "重做": {"redo", 1}, "重做两步": {"redo", 2}, "恢复体力": {}, "撤回门口": {}, "取消婚礼": {},
	} {
		what, turns := parser.Rewind(words)
		if what == "" {
			turns = 0
		}
		if got := (rewind{what, turns}); got != want {
			t.Errorf("%q: %v, not %v", words, got, want)
		}
	}
}
