package intents_test

import (
	"encoding/json"
	"testing"

	"hob/internal/intents"
	"hob/internal/llm"
)

// What is said right after a chore is about the same list, the same day or the same dice, and is understood nowhere else.
func TestFollowing(t *testing.T) {
	t.Parallel()
	calls := map[string]llm.Call{
		"add":     {Name: "list_add", Args: json.RawMessage(`{"list":"camping","items":["bread"]}`)},
		"several": {Name: "list_add", Args: json.RawMessage(`{"list":"camping","items":["bread","tea"]}`)},
		"tick":    {Name: "list_tick", Args: json.RawMessage(`{"list":"camping","items":["bread"],"open":true}`)},
		"clear":   {Name: "list_remove", Args: json.RawMessage(`{"list":"camping","all":true}`)},
		"show":    {Name: "list_show", Args: json.RawMessage(`{"list":"camping"}`)},
		"lists":   {Name: "list_show", Args: json.RawMessage(`{}`)},
		"day":     {Name: "calendar", Args: json.RawMessage(`{"from":"today"}`)},
		"zone":    {Name: "time", Args: json.RawMessage(`{"zone":"Asia/Tokyo"}`)},
		"roll":    {Name: "roll_dice", Args: json.RawMessage(`{"expr":"2d6"}`)},
		"note":    {Name: "note_add", Args: json.RawMessage(`{"text":"x"}`)},
		"status":  {Name: "system_status", Args: json.RawMessage(`{}`)},
		"write":   {Name: "write_file", Args: json.RawMessage(`{"path":"a.txt","content":"x"}`)},
		"read":    {Name: "read_file", Args: json.RawMessage(`{"path":"a.txt"}`)},
		"move":    {Name: "move_file", Args: json.RawMessage(`{"path":"a.txt","to":"old/"}`)},
	}
	const (
		milk   = `list_add {"items":["milk"],"list":"camping"}`
		milch  = `list_add {"items":["Milch"],"list":"camping"}`
		moloko = `list_add {"items":["молоко"],"list":"camping"}`
		niunai = `list_add {"items":["牛奶"],"list":"camping"}`
		off    = `list_remove {"list":"camping","items":["bread"]}; `
		shown  = `list_show {"list":"camping"}`
		back   = "take_back {}"
	)
	for _, row := range [][3]string{
		{"add", "and milk", milk}, {"add", "Oh, and milk too!", milk}, {"add", "milk as well, please", milk}, {"add", "also milk", milk}, {"add", "plus milk", milk},
		{"add", "und Milch", milch}, {"add", "und Milch auch", milch}, {"add", "ach ja, und Milch bitte noch", milch}, {"add", "Milch auch noch", milch}, {"add", "außerdem Milch", milch},
		{"add", "и молоко", moloko}, {"add", "ещё молоко", moloko}, {"add", "и молоко тоже, пожалуйста", moloko}, {"add", "а также молоко", moloko}, {"add", "молоко тоже", moloko},
		{"add", "还有牛奶", niunai}, {"add", "再加上牛奶", niunai}, {"add", "牛奶也要", niunai}, {"add", "对了，还要牛奶", niunai}, {"add", "牛奶也加上", niunai},
		{"add", "und 2 Packungen Nudeln", `list_add {"items":["2 Packungen Nudeln"],"list":"camping"}`},
		{"add", "and milk and two lemons", `list_add {"items":["milk","two lemons"],"list":"camping"}`},
		{"tick", "and milk", `list_tick {"items":["milk"],"list":"camping","open":true}`},
		{"clear", "and milk", ""}, {"show", "and milk", ""}, {"note", "and milk", ""}, {"status", "und Milch", ""},
		{"add", "and milk?", ""}, {"add", "and don't add milk", ""}, {"add", "and then?", ""}, {"add", "and what about milk", ""}, {"add", "and so on", ""},
		{"add", "and remind me at 5", ""}, {"add", "add a footnote to the letter", ""}, {"add", "und sonst so", ""}, {"add", "and I went home", ""}, {"add", "i mean it", ""}, {"add", "and that's it", ""},
		{"add", "no, milk", off + milk}, {"add", "I meant milk", off + milk}, {"add", "sorry, I meant milk", off + milk}, {"add", "make that milk", off + milk},
		{"add", "nein, Milch", off + milch}, {"add", "ich meinte Milch", off + milch}, {"add", "nee, lieber Milch", off + milch}, {"add", "Quatsch, ich meine Milch", off + milch},
		{"add", "нет, молоко", off + moloko}, {"add", "я имел в виду молоко", off + moloko}, {"add", "точнее молоко", off + moloko}, {"add", "ой, лучше молоко", off + moloko},
		{"add", "不对，是牛奶", off + niunai}, {"add", "我是说牛奶", off + niunai}, {"add", "改成牛奶", off + niunai}, {"add", "错了，应该是牛奶", off + niunai},
		{"add", "no milk", ""}, {"add", "kein Brot", ""}, {"tick", "no, milk", ""}, {"add", "no, thanks", ""}, {"add", "nein, danke", ""}, {"add", "нет, спасибо", ""}, {"add", "不，谢谢", ""},
		{"add", "delete that again", back}, {"note", "delete that", back}, {"add", "oops, take it off again", back}, {"add", "put it back", back}, {"note", "I didn't mean that", back},
		{"add", "lösch das wieder", back}, {"add", "nimm das wieder runter", back}, {"note", "nein, zurück", back}, {"note", "hol das wieder zurück", back}, {"note", "mach das wieder weg", back},
		{"add", "удали это", back}, {"add", "убери это обратно", back}, {"note", "верни как было", back}, {"note", "ой, это ошибка", back},
		{"add", "把它删掉", back}, {"add", "删掉刚才那个", back}, {"note", "不对，撤回去", back}, {"note", "弄错了", back},
		{"tick", "delete it", ""}, {"clear", "delete that", ""}, {"tick", "lösch das wieder", ""}, {"tick", "удали это", ""}, {"tick", "把它删掉", ""},
		{"tick", "put it back", back}, {"tick", "mach das wieder rückgängig", back}, {"tick", "верни это", back}, {"tick", "撤回刚才的", back},
		{"several", "no, milk", ""}, {"several", "and milk", milk},
		{"note", "don't delete that", ""}, {"note", "lösch das nicht", ""}, {"note", "не удаляй это", ""}, {"note", "别删掉它", ""}, {"note", "why did you delete that", ""},
		{"day", "and tomorrow?", `calendar {"from":"tomorrow"}`}, {"day", "what about friday", `calendar {"from":"friday"}`}, {"day", "und morgen?", `calendar {"from":"tomorrow"}`},
		{"day", "und am Freitag?", `calendar {"from":"friday"}`}, {"day", "а завтра?", `calendar {"from":"tomorrow"}`}, {"day", "а в пятницу?", `calendar {"from":"friday"}`},
		{"day", "那明天呢？", `calendar {"from":"tomorrow"}`}, {"day", "周五呢", `calendar {"from":"friday"}`},
		{"zone", "and in London?", `time {"zone":"Europe/London"}`}, {"zone", "und in London?", `time {"zone":"Europe/London"}`}, {"zone", "а в Лондоне?", `time {"zone":"Europe/London"}`}, {"zone", "伦敦呢？", `time {"zone":"Europe/London"}`},
		{"show", "and the shopping list?", `list_show {"list":"shopping"}`}, {"show", "und die Einkaufsliste?", `list_show {"list":"shopping"}`}, {"show", "а список покупок?", `list_show {"list":"shopping"}`}, {"show", "购物清单呢？", `list_show {"list":"shopping"}`},
		{"show", "and milk too", milk}, {"show", "und Milch auch", milch}, {"show", "и молоко тоже", moloko}, {"show", "还有牛奶也要", niunai},
		{"show", "put milk on it too", milk}, {"show", "can you add milk to it", milk}, {"show", "setz Milch auch drauf", milch}, {"show", "добавь туда молоко", moloko}, {"show", "把牛奶加进去", niunai},
		{"show", "and the weather too", ""}, {"show", "und das Wetter auch", ""}, {"show", "и погоду тоже", ""}, {"show", "还有天气也要", ""}, {"show", "and the news and milk too", ""},
		{"show", "and me too", ""}, {"show", "don't put milk on it", ""}, {"lists", "and milk too", ""}, {"day", "and milk too", ""}, {"tick", "and milk too", `list_tick {"items":["milk"],"list":"camping","open":true}`},
		{"add", "what's on it?", shown}, {"tick", "what's left on it", shown}, {"clear", "show me the list", shown}, {"show", "what is still on there", shown},
		{"add", "was steht drauf", shown}, {"add", "что в нём?", shown}, {"tick", "上面还有什么", shown}, {"note", "what's on it", ""},
		{"roll", "again", `roll_dice {"expr":"2d6"}`}, {"roll", "nochmal", `roll_dice {"expr":"2d6"}`}, {"roll", "ещё раз", `roll_dice {"expr":"2d6"}`}, {"roll", "再来一次", `roll_dice {"expr":"2d6"}`},
		{"add", "again", ""}, {"roll", "and milk", ""},
		{"add", "cancel all of that", back}, {"add", "отмени всё это", back},
		{"write", "read it", `read_file {"path":"a.txt"}`}, {"write", "what does it say", `read_file {"path":"a.txt"}`}, {"write", "lies sie mir vor", `read_file {"path":"a.txt"}`},
		{"write", "прочитай его", `read_file {"path":"a.txt"}`}, {"write", "把它读一下", `read_file {"path":"a.txt"}`}, {"move", "read it", `read_file {"path":"old/a.txt"}`},
		{"write", "rename it to x.txt", `move_file {"path":"a.txt","to":"x.txt"}`}, {"read", "call it x.txt instead", `move_file {"path":"a.txt","to":"x.txt"}`},
		{"write", "benenn sie in x.txt um", `move_file {"path":"a.txt","to":"x.txt"}`}, {"write", "переименуй его в x.txt", `move_file {"path":"a.txt","to":"x.txt"}`},
		{"write", "把它改名为x.txt", `move_file {"path":"a.txt","to":"x.txt"}`}, {"read", "move it to old", `move_file {"path":"a.txt","to":"old/"}`},
		{"write", "send it to me", `send_file {"path":"a.txt"}`}, {"write", "schick sie mir", `send_file {"path":"a.txt"}`}, {"write", "пришли его мне", `send_file {"path":"a.txt"}`},
		{"write", "把它发给我", `send_file {"path":"a.txt"}`}, {"write", "copy it to b.txt", `copy_file {"path":"a.txt","to":"b.txt"}`}, {"read", "delete it", `delete_file {"path":"a.txt"}`},
		{"read", "lösch sie", `delete_file {"path":"a.txt"}`}, {"read", "удали его", `delete_file {"path":"a.txt"}`}, {"read", "把它删掉", `delete_file {"path":"a.txt"}`}, {"write", "delete it", back},
		{"read", "don't delete it", ""}, {"read", "lösch sie nicht", ""}, {"read", "не удаляй его", ""}, {"read", "别删掉它", ""}, {"read", "should I delete it?", ""}, {"read", "I read it", ""},
		{"note", "rename it to x.txt", ""}, {"add", "read it", ""}, {"read", "Ann said delete it", ""}, {"read", "how do I rename it to x.txt", ""}, {"read", "if you can read it", ""},
	} {
		r, got := intents.Default().Following(row[1], calls[row[0]]), ""
		if r.TakesBack() {
			got = back
		}
		for i, part := range r.Chores() {
			if got += part.Call.Name + " " + string(part.Call.Args); i+1 < len(r.Chores()) {
				got += "; "
			}
		}
		if got != row[2] {
			t.Errorf("after %s %q is %q, want %q", row[0], row[1], got, row[2])
		}
	}
}

// Without the chore before them such words mean nothing.
func TestRead_NotFollowing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"and milk", "milk as well", "und Milch auch", "и молоко тоже", "还有牛奶", "no, milk", "delete that again", "lösch das wieder", "把它删掉", "and tomorrow?", "read it", "rename it to x.txt", "прочитай его"} {
		if r := intents.Default().Read(text); r.Kind != "" {
			t.Errorf("%q is %s %s", text, r.Kind, r.Call.Args)
		}
	}
}
