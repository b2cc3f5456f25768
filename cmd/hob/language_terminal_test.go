package main

import (
	"strings"
	"testing"
)

// At the prompt a question, its answers and what is said around them are in the language of who asks, and so are the answers of
// commands.
func TestTerminal_InTheLanguageOfTheHouse(t *testing.T) {
	for _, c := range []struct {
		env, welcome, tour                      string
		timers, cancel, asks                    string
		wrong, isWrong, explained, yes, allowed string
		no, denied, status                      string
	}{
		{
			env: "de_DE.UTF-8", welcome: "Das ist hob. Sag, was du willst", tour: "Neu hier? /tour zeigt", timers: "Timer 10 Minuten Nudeln|Timer 5 Minuten Tee",
			cancel: "brich alle Timer ab", asks: "reminder möchte das tun:",
			wrong: "vielleicht", isWrong: `"vielleicht" ist keine Antwort.`, explained: "j: es wird jetzt getan, beim nächsten Mal fragt hob wieder.",
			no: "nein", denied: "abgelehnt von owner", yes: "ja", allowed: "erlaubt von owner", status: "das Modell ist frei",
		},
		{
			env: "C.UTF-8", welcome: "This is hob. Say what you want", tour: "New here? /tour shows", timers: "таймер на 10 минут паста|таймер на 5 минут чай",
			cancel: "отмени все таймеры", asks: "reminder просит разрешения:",
			wrong: "может", isWrong: `"может" — не ответ.`, explained: "д: это будет сделано сейчас, а в следующий раз hob спросит снова.",
			no: "н", denied: "не разрешено: owner", yes: "Д", allowed: "разрешено: owner", status: "модель свободна",
		},
		{
			env: "zh_CN.UTF-8", welcome: "这里是 hob。", tour: "第一次来？/tour", timers: "计时10分钟 面条|计时5分钟 茶",
			cancel: "取消所有计时器", asks: "reminder 请求执行：",
			wrong: "也许", isWrong: `"也许" 不是有效的回答。`, explained: "y：现在执行，下次 hob 还会再问。",
			no: "否", denied: "未允许：owner", yes: "是", allowed: "已允许：owner", status: "模型空闲",
		},
	} {
		t.Run(c.env, func(t *testing.T) {
			cmd, talk := atTerminal(t, newFakeOllama(t), t.TempDir(), []string{"LANG=" + c.env}, "chat")
			talk.until(c.welcome)
			talk.until(c.tour)
			for timer := range strings.SplitSeq(c.timers, "|") {
				talk.enter(timer)
				talk.until("⏰")
			}
			talk.enter(c.cancel)
			talk.until(c.asks)
			talk.say(c.wrong + "\r")
			talk.until(c.isWrong)
			talk.say("?\r")
			talk.until(c.explained)
			talk.say(c.no + "\r")
			talk.until(c.denied)
			talk.enter(c.cancel)
			talk.until(c.asks)
			talk.say(c.yes + "\r")
			talk.until(c.allowed)
			talk.enter("/status")
			talk.until(c.status)
			talk.leave(cmd)
		})
	}
}

// hob setup and hob tour speak the language of the environment; what programs read stays English.
func TestSetupAndTour_InTheLanguageOfTheEnvironment(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	cmd := h.command("setup")
	cmd.Env = append(cmd.Env, "LC_ALL=de_DE.UTF-8")
	d := startAtTerminal(t, cmd)
	for _, question := range []string{"Welches Modell? (none: ohne)", "Deine Zeitzone?", "Token (Enter: ohne Telegram)", "Dienst? (user, system, none)"} {
		d.until(question)
		d.say("\r")
	}
	d.until("So ist hob eingerichtet")
	d.until("keiner: hob serve startet es im Terminal")
	d.until("0 fehlgeschlagen")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, d.screen)
	}
	cmd = h.command("setup", "--model", "none", "--service", "none", "--yes", "--json")
	cmd.Env = append(cmd.Env, "LC_ALL=de_DE.UTF-8")
	out, err := cmd.Output()
	if want := `{"name":"service","state":"ok","found":"none: hob serve runs it in a terminal","do":""}`; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v: there is no %s in\n%s", err, want, out)
	}
	cmd = h.command("tour")
	cmd.Env = append(cmd.Env, "LC_ALL=zh_CN.UTF-8")
	out, err = cmd.CombinedOutput()
	for _, want := range []string{"[脚本] write_file", "已写入 list.txt", "note_add 请求执行：", "未允许：这里没有人可以询问", "导览到此结束。"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: there is no %q in\n%s", err, want, out)
		}
	}
}
