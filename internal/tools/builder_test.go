package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/toolstest"
)

// sayParams is a tool's function that says what it was called with.
func sayParams(_ context.Context, params map[string]any) (string, error) {
	return fmt.Sprint(params), nil
}

func toolBuilt(t *testing.T, b *tools.Builder) tools.Tool {
	t.Helper()
	tool, err := b.Tool()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// The tool that stands for the builder in what asked for it.
func TestBuild(t *testing.T) {
	b := tools.Build("get_weather").
		Desc("查询城市天气").
		Param("unit", "string", "温度单位(C/F)", false).
		Param("city", "string", "城市名称", true).
		Param("days", "integer", "", false).
		Tag("天气").Keyword("天气", "气温").Keyword("weather").
		Platform("telegram").Scope("group", "channel").Permission(tools.GroupAdmin).Hidden().
		Command("weather <city:string> [unit:string]").Alias("wttr").Alias("天气").Example("weather Berlin", "天气 北京 unit=C").Source("skill:weather").
		Capabilities(tools.Reads).Capabilities(tools.Sends).
		Run(sayParams)
	tool := toolBuilt(t, b)
	b.Tag("more").Param("more", "string", "", true)
	want := tools.Def{
		Name: "get_weather", Description: "查询城市天气", Capabilities: tools.Reads | tools.Sends,
		Level: tools.GroupAdmin, Platforms: []string{"telegram"}, Scopes: []string{"group", "channel"}, Hidden: true,
		Tags: []string{"天气"}, Keywords: []string{"天气", "气温", "weather"},
		Command: "weather <city:string> [unit:string]", Aliases: []string{"wttr", "天气"}, Examples: []string{"weather Berlin", "天气 北京 unit=C"},
		Source: "skill:weather",
	}
	if diff := cmp.Diff(want, tools.DefOf(tool), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	const schema = `{"properties":{"city":{"description":"城市名称","type":"string"},` +
		`"unit":{"description":"温度单位(C/F)","type":"string"},"days":{"type":"integer"}},"required":["city"],"type":"object"}`
	if diff := cmp.Diff(schema, string(tools.Schema([]tools.Tool{tool})[0].Parameters)); diff != "" {
		t.Error(diff)
	}
	res, err := tools.Call(t.Context(), tool, json.RawMessage(`{"city":"Oslo","days":2}`))
	if diff := cmp.Diff(tools.Result{Text: "map[city:Oslo days:2]"}, res); diff != "" || err != nil {
		t.Error(diff, err)
	}
	_, err = tools.Call(t.Context(), tool, json.RawMessage(`{"city":5,"town":"Oslo"}`))
	toolstest.IsError(t, err, event.CodeInvalidFormat, "city: must be a string, not 5; town: unknown argument")
}

// A tool of which nothing is said may do anything, for the lowest level, everywhere.
func TestBuild_Unsaid(t *testing.T) {
	tool := toolBuilt(t, tools.Build("now").Run(sayParams))
	if diff := cmp.Diff(tools.Def{Name: "now", Capabilities: tools.AnyCapability}, tools.DefOf(tool), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if _, err := tools.Call(t.Context(), tool, nil); err != nil {
		t.Error(err)
	}
	if d := tools.DefOf(toolBuilt(t, tools.Build("now").Capabilities(0).Run(sayParams))); d.Capabilities != 0 {
		t.Errorf("it was said to do nothing and may do %b", d.Capabilities)
	}
}

func TestBuild_ParamTwice(t *testing.T) {
	t.Run("tool-permission-14", func(t *testing.T) {
		tool := toolBuilt(t, tools.Build("update_param").
			Param("name", "string", "原始描述", false).
			Param("after", "string", "", false).
			Param("name", "integer", "新描述", false).
			Run(sayParams))
		const want = `{"properties":{"name":{"description":"新描述","type":"integer"},"after":{"type":"string"}},"type":"object"}`
		if diff := cmp.Diff(want, string(tools.Schema([]tools.Tool{tool})[0].Parameters)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("and required at last", func(t *testing.T) {
		tool := toolBuilt(t, tools.Build("update_param").Param("b", "string", "", true).Param("a", "string", "", false).
			Param("b", "string", "", false).Param("a", "string", "", true).Run(sayParams))
		if diff := cmp.Diff([]any{"a"}, tool.Parameters()["required"]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestBuild_Refuses(t *testing.T) {
	for _, c := range []struct {
		name string
		b    *tools.Builder
		want string
	}{
		{"tool-permission-13", tools.Build("no_execute").Desc("没有执行函数"), `define tool "no_execute": it has no function to run`},
		{"no name", tools.Build("").Run(sayParams), `define tool "": a name is 1 to 64 of letters, digits, dot, dash and underscore`},
		{"type", tools.Build("x").Param("n", "int", "", true).Run(sayParams),
			`define tool "x": parameter n: there is no type "int": it is one of string, number, integer, boolean, array, object`},
		{"parameter", tools.Build("x").Param("a b", "string", "", true).Run(sayParams),
			`define tool "x": "a b" is no name for a parameter: it has no blanks and none of : = < > [ ] and quotes`},
		{"scope", tools.Build("x").Scope("group", "guild").Run(sayParams), `define tool "x": there is no scope "guild": it is one of private, group, channel`},
		{"level", tools.Build("x").Permission(9).Run(sayParams), `define tool "x": there is no permission level 9: it is one of user to owner`},
		{"pattern", tools.Build("x").Command("x city").Run(sayParams),
			`define tool "x": the pattern "x city" cannot be read: city is neither <name:type> nor [name:type]`},
		{"pattern of another", tools.Build("x").Param("b", "string", "", true).Command("x <a:string> [b:string]").Run(sayParams),
			`define tool "x": the pattern of its command names a, which is no parameter of it`},
		{"everything", tools.Build("x").Param("", "string", "", true).Scope("guild"),
			`define tool "x": "" is no name for a parameter: it has no blanks and none of : = < > [ ] and quotes; ` +
				`there is no scope "guild": it is one of private, group, channel; it has no function to run`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, err := c.b.Tool()
			if tool != nil || err == nil {
				t.Fatalf("%v, %v", tool, err)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
