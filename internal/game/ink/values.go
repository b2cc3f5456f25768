package ink

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A value is an int64, a float64, a bool, a text, a target or void.

// show returns a value as the story prints it.
func show(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'g', 7, 64)
	case void:
		return ""
	case text:
		return string(v)
	}
	return fmt.Sprint(v)
}

// truthy reports whether a value counts as true.
func truthy(v any) (bool, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case int64:
		return v != 0, nil
	case float64:
		return v != 0, nil
	case text:
		return v != "", nil
	}
	return false, refuse("it asks whether a place in the story is true, which hob does not take: compare it with something")
}

// number returns a value as a number, and whether it is a whole one.
func number(v any) (f float64, whole, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true, true
	case float64:
		return v, false, true
	case bool:
		if v {
			return 1, true, true
		}
		return 0, true, true
	}
	return 0, false, false
}

// operands is how many values an operation takes; 0 is no operation.
func operands(op command) int {
	switch op {
	case "_", "!", "FLOOR", "CEILING", "INT", "FLOAT":
		return 1
	case "+", "-", "*", "/", "%", "==", ">", "<", ">=", "<=", "!=", "&&", "||", "MIN", "MAX", "?", "!?":
		return 2
	}
	return 0
}

// unary computes an operation on one value.
func unary(op command, v any) (any, error) {
	if op == "!" {
		is, err := truthy(v)
		return !is, err
	}
	f, whole, ok := number(v)
	switch {
	case !ok:
		return nil, mixed(op)
	case op == "FLOAT":
		return f, nil
	case op == "INT":
		return int64(f), nil
	case op == "FLOOR":
		f = math.Floor(f)
	case op == "CEILING":
		f = math.Ceil(f)
	case op == "_":
		f = -f
	}
	return back(f, whole), nil
}

func back(f float64, whole bool) any {
	if whole {
		return int64(f)
	}
	return f
}

func mixed(op command) error {
	return refuse("it computes %s of values that do not go together: use numbers with numbers, and texts with texts", op)
}

// binary computes an operation on two values.
func binary(op command, a, b any) (any, error) {
	if op == "&&" || op == "||" {
		x, err := truthy(a)
		y, wrong := truthy(b)
		return op == "&&" && x && y || op == "||" && (x || y), cmp.Or(err, wrong)
	}
	at, isText := a.(text)
	bt, areTexts := b.(text)
	at2, isTarget := a.(target)
	bt2, areTargets := b.(target)
	switch {
	case isText || areTexts:
		if !isText {
			at = text(show(a))
		}
		if !areTexts {
			bt = text(show(b))
		}
		return texts(op, string(at), string(bt))
	case isTarget && areTargets && (op == "==" || op == "!="):
		return (at2 == bt2) == (op == "=="), nil
	}
	x, whole, ok := number(a)
	y, wholes, oks := number(b)
	if !ok || !oks {
		return nil, mixed(op)
	}
	if (op == "/" || op == "%") && y == 0 {
		return nil, refuse("it divides by zero")
	}
	n, is := map[command]float64{
		"+": x + y, "-": x - y, "*": x * y, "/": x / y, "%": math.Mod(x, y), "MIN": min(x, y), "MAX": max(x, y),
	}[op]
	if !is {
		return compare(op, cmp.Compare(x, y))
	}
	return back(n, whole && wholes), nil
}

// texts computes an operation on two texts.
func texts(op command, a, b string) (any, error) {
	switch op {
	case "+":
		if len(a)+len(b) > mostPrinted {
			return nil, refuse("it builds a text of more than %d bytes", mostPrinted)
		}
		return text(a + b), nil
	case "?":
		return strings.Contains(a, b), nil
	case "!?":
		return !strings.Contains(a, b), nil
	case "==", "!=":
		return compare(op, strings.Compare(a, b))
	}
	return nil, mixed(op)
}

func compare(op command, order int) (any, error) {
	holds, is := map[command]bool{
		"==": order == 0, "!=": order != 0, ">": order > 0, "<": order < 0, ">=": order >= 0, "<=": order <= 0,
	}[op]
	if !is {
		return nil, mixed(op)
	}
	return holds, nil
}
