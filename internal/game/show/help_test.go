package show_test

import (
	"encoding/json"
	"flag"
	"strings"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/checks"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/people"
	"hob/internal/game/rules/story"
	"hob/internal/game/rules/things"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

var update = flag.Bool("update", false, "accept what is shown as the new testdata")

// tester is a test, of rapid's or of the standard library.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func same(t tester, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// book is all tools and words.
func book(t tester) *rules.Book {
	t.Helper()
	b, err := rules.New(checks.Family(), land.Family(), people.Family(), story.Family(), things.Family(), travel.Family())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}

// set makes a world of records.
func set(t tester, records ...world.Record) *world.World {
	t.Helper()
	w := world.Empty()
	put(t, w, records...)
	return w
}

func put(t tester, w *world.World, records ...world.Record) {
	t.Helper()
	for _, r := range records {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// names are what things of the mill are called, in three languages.
func names(lang string) map[string]string {
	list := `mill|Old Mill|Старая мельница|老磨坊
mill.desc|The wheel has not turned since the flood.|Колесо не крутится с самого паводка.|自从那场洪水，水轮就没有再转过。
mill.now|Rain drums on the roof.|По крыше стучит дождь.|雨点敲打着屋顶。
yard|Yard|Двор|院子
loft|Loft|Чердак|阁楼
cellar|Cellar|Погреб|地窖
rubble|the steps have fallen in|ступени обвалились|台阶塌了
smell|smell|запах|气味
damp|wet flour|мокрая мука|湿面粉
mara|Mara|Мара|玛拉
mara.desc|A ferryman's daughter with quick hands.|Дочь паромщика, ловкая на руку.|摆渡人的女儿，手很快。
tom|Tom|Том|汤姆
anna|Anna the miller|Мельничиха Анна|磨坊主安娜
rat|Rat|Крыса|老鼠
lantern|lantern|фонарь|灯笼
rope|rope|верёвка|绳子
bag|bag|мешок|袋子
flint|flint|кремень|火石
chest|chest|сундук|箱子
table|table|стол|桌子
letter|letter|письмо|信
cloak|cloak|плащ|斗篷
blessed|blessed|под благословением|祝福
wet|wet|до нитки|湿透
tired|tired|на исходе сил|疲惫
flood|The flood|Паводок|洪水
sluice|shut the sluice|закрыть шлюз|关上水闸
warn|warn the miller|предупредить мельничиху|警告磨坊主
ferry|The lost ferry|Пропавший паром|失踪的渡船
tide|Water rises|Вода прибывает|水位上涨
goal|Save the valley from the water|Спасти долину от воды|从洪水中救下山谷
bees|bees|пчёлы|养蜂`
	at := 1
	switch lang {
	case "ru":
		at = 2
	case "zh":
		at = 3
	}
	all := map[string]string{}
	for line := range strings.Lines(list) {
		words := strings.Split(strings.TrimSpace(line), "|")
		all[words[0]] = words[at]
	}
	return all
}

// mill is a world with something of everything, and secrets whose texts have "Secret" in them.
func mill(t tester, lang string, more ...world.Record) *world.World {
	t.Helper()
	n := names(lang)
	return set(t, append([]world.Record{
		&world.Self{Title: n["mill"], Lang: lang, AllowAll: true, ClockSet: true, Minute: 1300, Party: []string{"pc_001",
			"pc_002"},
			Active: "pc_001", GoalText: n["goal"]},
		&world.Place{ID: "area_001", Order: 1, Name: n["mill"], Desc: n["mill.desc"], Situation: n["mill.now"], Visited: true,
			Attrs: map[string]string{n["smell"]: n["damp"]}},
		&world.Place{ID: "area_002", Order: 2, Name: n["yard"], Visited: true}, &world.Place{ID: "area_003", Order: 3,
			Name: n["loft"]},
		&world.Place{ID: "area_004", Order: 4, Name: n["cellar"]}, &world.Place{ID: "area_005", Order: 5,
			Name: "Secret vault", Secret: true},
		&world.Place{ID: "area_006", Order: 6, Name: "Secret shrine", Desc: "Secret bones"},
		&world.Link{From: "area_001", To: "area_002", Order: 1, Dir: "n", Door: world.OpenDoor},
		&world.Link{From: "area_002", To: "area_001", Order: 1, Dir: "s", Door: world.OpenDoor},
		&world.Link{From: "area_001", To: "area_003", Order: 2, Dir: "u", Door: world.LockedDoor, Lock: "obj_009"},
		&world.Link{From: "area_001", To: "area_004", Order: 3, Blocked: n["rubble"]},
		&world.Link{From: "area_001", To: "area_005", Order: 4, Dir: "w"},
		&world.Link{From: "area_001", To: "area_006", Order: 5, Dir: "e", Hidden: true},
		&world.Actor{ID: "pc_001", Order: 1, Role: "pc", Name: n["mara"], Desc: n["mara.desc"], Place: "area_001",
			HP:    world.Known(7),
			HPMax: world.Known(12), Stats: map[string]int64{"finesse": 2, "force": -1, "wits": 0, n["bees"]: 3, "defence": 12},
			Conditions: map[string]int64{n["blessed"]: 1425, n["wet"]: 0}, Rounds: map[string]int64{n["tired"]: 3}},
		&world.Actor{ID: "pc_002", Order: 2, Role: "pc", Name: n["tom"], Place: "area_002", HP: world.Known(0),
			HPMax: world.Known(10),
			State: world.Dying},
		&world.Actor{ID: "npc_001", Order: 3, Role: "npc", Name: n["anna"], Place: "area_001", Attitude: -1, Wants: "Secret wish",
			Secret: "Secret guilt", Talk: []world.Talk{{Topic: "bell", Text: "Secret words"}}},
		&world.Actor{ID: "npc_002", Order: 4, Role: "monster", Name: n["rat"], Place: "area_001", State: world.Dead,
			HP: world.Known(0)},
		&world.Thing{ID: "obj_001", Order: 1, Name: n["lantern"], Parent: "pc_001", Rel: world.Held},
		&world.Thing{ID: "obj_002", Order: 2, Name: n["rope"], Parent: "pc_001", Qty: 2},
		&world.Thing{ID: "obj_003", Order: 3, Name: n["bag"], Parent: "pc_001", Container: true},
		&world.Thing{ID: "obj_004", Order: 4, Name: n["flint"], Parent: "obj_003", Qty: 3},
		&world.Thing{ID: "obj_005", Order: 5, Name: n["cloak"], Parent: "pc_001", Rel: world.Worn},
		&world.Thing{ID: "obj_006", Order: 6, Name: n["chest"], Parent: "area_001", Container: true, Closed: true, Locked: true},
		&world.Thing{ID: "obj_007", Order: 7, Name: "Secret crown", Parent: "obj_006"},
		&world.Thing{ID: "obj_008", Order: 8, Name: n["table"], Parent: "area_001", Fixed: true},
		&world.Thing{ID: "obj_009", Order: 9, Name: "Secret key", Desc: "Secret rust", Parent: "obj_008", Hidden: true},
		&world.Thing{ID: "obj_010", Order: 10, Name: n["letter"], Parent: "obj_008", Rel: world.On},
		&world.Thing{ID: "obj_011", Order: 11, Name: "Secret dagger", Parent: "pc_001", Hidden: true},
		&world.Thing{ID: "obj_012", Order: 12, Name: n["bag"], Parent: "npc_001"},
		&world.Thing{ID: "obj_013", Order: 13, Name: "Secret purse", Parent: "obj_012", Hidden: true},
		&world.Thing{ID: "obj_014", Order: 14, Name: "Secret deed", Parent: "obj_012"},
		&world.Thing{ID: "obj_015", Order: 15, Name: "ax", Parent: "area_001", Hidden: true},
		&world.Quest{ID: "quest_001", Order: 1, Title: n["flood"], State: world.Active, Objectives: []string{n["sluice"],
			n["warn"]},
			Met: []string{n["sluice"]}},
		&world.Quest{ID: "quest_002", Order: 2, Title: n["ferry"], State: world.Done, Objectives: []string{n["rope"]},
			Met: []string{n["rope"]}},
		&world.Quest{ID: "quest_003", Order: 3, Title: "Secret offer", State: world.Offered, Objectives: []string{"Secret deed"}},
		&world.Clock{ID: "clock_001", Order: 1, Name: n["tide"], Segments: 4, Filled: 2, Visible: true, OnFull: "Secret flood"},
		&world.Clock{ID: "clock_002", Order: 2, Name: "Secret plot", Segments: 4, OnFull: "Secret end"},
		&world.Fact{ID: "fact_001", Text: "Secret deed of old", Secret: true, Witnesses: []string{"npc_001"}},
		&world.Lore{ID: "lore_001", Keys: []string{"bell"}, Text: "Secret lore", Secret: true, Constant: true},
	}, more...)...)
}

// outcome is what came of a call.
func outcome(tool, args, result string, status rules.Status, code rules.Code, say rules.Sentence) rules.Outcome {
	return rules.Outcome{Call: rules.Call{Tool: tool, Args: json.RawMessage(args)}, Status: status, Code: code, Say: say,
		Result: json.RawMessage(result)}
}

func done(tool, args, result string) rules.Outcome {
	return outcome(tool, args, result, rules.Applied, "", rules.Sentence{Key: "look.text", Args: []string{tool + "."}})
}
