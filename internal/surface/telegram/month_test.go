package telegram_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/agent"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/telegram/telegramtest"
	"hob/internal/tools"
)

// The month: six people, each in a chat of their own, and a group of two of them.
const (
	monthPeople = 6
	monthDays   = 30
	monthPerDay = 60 // messages, about
	monthGroup  = -1000000000042
	firstSilent = 15 // days from 1 on which nobody says anything
	lastSilent  = 21
	monthOutage = 11            // the day on which Telegram is away for three hours
	monthKeep   = 120           // messages of a chat that Telegram remembers: more than are said on a day
	quietHour   = 4 * time.Hour // when nobody is awake
	monthMost   = 65 * time.Second
	beginning   = "A new conversation begins."
)

// TestAMonth lives through days of virtual time on a store on the disk, thirty of them with HOB_TEST_FULL: people who speak in bursts by day and sleep at
// night, a silent week, strangers, restarts in the middle of turns, and a Telegram that fails in all the ways that it can. Each
// message is answered once, and in order; each night nothing is left but what there was in the first one.
func TestAMonth(t *testing.T) {
	days, perDay := 9, 40
	if os.Getenv("HOB_TEST_FULL") != "" {
		days, perDay = monthDays, monthPerDay
	}
	seed := uint64(1) // HOB_TEST_SEED has another month
	if text := os.Getenv("HOB_TEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("HOB_TEST_SEED: %v", err)
		}
	}
	began := time.Now()
	goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		m := newMonth(t, seed)
		m.start()
		for day := 1; day <= days; day++ {
			m.day(day, perDay)
			m.night(day)
		}
		m.stop()
		m.verdict(days)
	})
	goleak.VerifyNone(t)
	t.Logf("it took %v", time.Since(began).Round(time.Millisecond))
}

// month is a hob that lives for one, and those around it.
type month struct {
	live
	random *rand.Rand
	chaos  *telegramtest.Chaos
	people []*telegramtest.User
	chats  []*monthChat // the group is the last
	away   []*telegramtest.Chat
	mind   *monthMind
	nights []night
	hurts  int // times that a watchdog would have bitten
	// forgiven are calls too early after a restart: how long Telegram wants to be left alone nobody knows any more then.
	forgiven int
}

// monthChat is a chat, and what was said and answered there.
type monthChat struct {
	*telegramtest.Chat
	n      int
	who    []*telegramtest.User
	said   int            // messages that want an answer
	open   map[int64]int  // by the id of the message: those of today
	before int            // those of the days before
	read   int64          // the last message that was looked at
	counts map[string]int // of what the bot has written
}

// fileJournal is a [journal] on the disk.
type fileJournal struct {
	*store.DB
	*store.Deliveries
	*people
}

type people = store.People

func (f fileJournal) People(ctx context.Context, platform string) ([]event.Person, error) {
	return f.people.People(ctx, platform)
}

// night is what there is when nobody is awake.
type night struct {
	day, routines int
	heap          uint64
}

func newMonth(t *testing.T, seed uint64) *month {
	m := &month{random: rand.New(rand.NewPCG(seed, 1)), chaos: monthFaults(seed)}
	m.mind = &monthMind{random: rand.New(rand.NewPCG(seed, 2))}
	path := filepath.Join(t.TempDir(), "journal.db")
	m.live = live{
		t: t, model: m.mind, files: emptyFiles{},
		srv:    telegramtest.New(telegramtest.Options{Keep: monthKeep, SeesAll: true}),
		bounds: agent.Budget{Steps: 10, Calls: 10, Time: 15 * time.Minute, Output: 10_000},
		tools:  []tools.Tool{lookTool(m.mind.look)}, more: commands.NewTable(commands.Command{Name: "keys", Summary: "buttons", For: commands.Everybody, On: commands.Telegram, Run: monthKeys}),
		open: func() (journal, func()) {
			db, err := store.Open(context.Background(), path, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			return fileJournal{db, db.Deliveries(), db.People()}, func() {
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}
		},
	}
	var members []telegramtest.Member
	for n := range monthPeople {
		u := m.srv.User(int64(1000+n), fmt.Sprint("p", n))
		m.people = append(m.people, u)
		m.allow(u.ID, event.Owner)
		m.chats = append(m.chats, &monthChat{Chat: m.srv.Private(u), n: n, who: []*telegramtest.User{u}})
		members = append(members, telegramtest.Member{User: u})
	}
	m.allow(monthGroup, event.User)
	m.chats = append(m.chats, &monthChat{Chat: m.srv.Group(monthGroup, "Home", members...), n: monthPeople, who: m.people[:2]})
	for _, c := range m.chats {
		c.open, c.counts = map[int64]int{}, map[string]int{}
	}
	for n := range 2 {
		m.away = append(m.away, m.srv.Private(m.srv.User(int64(5000+n), fmt.Sprint("stranger", n))))
	}
	return m
}

// monthFaults is what fails by chance, all month long.
func monthFaults(seed uint64) *telegramtest.Chaos {
	c := &telegramtest.Chaos{Seed: seed}
	for kind, p := range map[telegramtest.Kind]float64{
		telegramtest.Refused: 0.01, telegramtest.DropBefore: 0.01, telegramtest.DropAfter: 0.01, telegramtest.HangBefore: 0.005,
		telegramtest.HangAfter: 0.005, telegramtest.Internal: 0.005, telegramtest.BadGateway: 0.01, telegramtest.BadGatewayAfter: 0.005,
		telegramtest.Half: 0.005, telegramtest.NotJSON: 0.002, telegramtest.Slow: 0.005, telegramtest.TooMany: 0.01,
		telegramtest.Conflict: 0.002, telegramtest.Duplicates: 0.02, telegramtest.Shuffled: 0.02,
	} {
		c.Rates = append(c.Rates, telegramtest.Rate{P: p, Fault: telegramtest.Fault{Kind: kind, RetryAfter: 20 * time.Second}})
	}
	slices.SortFunc(c.Rates, func(a, b telegramtest.Rate) int { return cmp.Compare(a.Kind, b.Kind) })
	return c
}

// monthKeys answers with buttons, which are remembered until they are pressed.
func monthKeys(_ context.Context, by commands.Request) (commands.Answer, error) {
	if by.Args != "" {
		return commands.Answer{Text: "keys: it was pressed"}, nil
	}
	var row []commands.Choice
	for n := range 8 {
		row = append(row, commands.Choice{Label: fmt.Sprint(n), Line: fmt.Sprint("/keys ", n)})
	}
	return commands.Answer{Text: "keys", Choices: [][]commands.Choice{row}}, nil
}

// act is something that happens at a time of the day.
type act struct {
	at time.Duration
	do func()
}

// day plays what people do on a day, and what befalls them, up to midnight.
func (m *month) day(day, perDay int) {
	midnight := time.Now().Truncate(24 * time.Hour)
	var acts []act
	at := func() time.Duration { return 7*time.Hour + time.Duration(m.random.Int64N(int64(16*time.Hour))) }
	switch silent := day >= firstSilent && day <= lastSilent; {
	case day == lastSilent:
		acts = append(acts, act{at(), func() { m.srv.Jump(0) }})
	case !silent:
		acts = m.words(perDay, at)
	}
	if day == monthOutage {
		acts = append(acts, act{12 * time.Hour, m.srv.Cut}, act{15 * time.Hour, m.srv.Mend})
	}
	if day == 3 || day == 6 || day == monthDays { // and a life of more than three weeks between
		when, before := at(), 0
		acts = append(acts, act{when, func() { m.stop(); before = len(m.srv.Violations()); m.start() }},
			act{when + 30*time.Second, func() { m.forgiven += len(m.srv.Violations()) - before }})
	}
	slices.SortStableFunc(acts, func(a, b act) int { return cmp.Compare(a.at, b.at) })
	m.srv.Heal(m.chaos)
	for _, a := range acts {
		m.until(midnight.Add(a.at))
		a.do()
	}
	m.until(midnight.Add(24 * time.Hour))
}

// words are what is said on a day.
func (m *month) words(perDay int, at func() time.Duration) (acts []act) {
	for said := 0; said < perDay; {
		c, burst, when := m.chats[m.random.IntN(len(m.chats))], 1, at()
		if m.random.IntN(6) == 0 {
			burst = 2 + m.random.IntN(8)
		}
		who := c.who[m.random.IntN(len(c.who))]
		for range burst {
			acts = append(acts, act{when, func() { m.say(c, who) }})
			when += time.Duration(m.random.IntN(4000)) * time.Millisecond
			said++
		}
	}
	for _, c := range m.chats {
		who := c.who[0]
		acts = append(acts, act{at(), func() { c.Say(who, "/keys") }})
		for range 3 {
			acts = append(acts, act{at(), func() { m.press(c, who) }})
		}
		if c.Type != "private" { // which is for nobody
			acts = append(acts, act{at(), func() { c.Say(who, "stranger things happen here") }})
		}
	}
	for _, c := range m.away {
		for range 10 {
			acts = append(acts, act{at(), func() { c.Say(m.srv.User(c.ID, ""), "a stranger says hello") }},
				act{at(), func() { c.Say(m.srv.User(c.ID, ""), "/pair ABCD-EFGH") }})
		}
	}
	return acts
}

// say says something that wants an answer.
func (m *month) say(c *monthChat, who *telegramtest.User) {
	text := fmt.Sprintf("please, q%d-%d. and soon", c.n, c.said)
	if c.Type != "private" {
		text = "@hob_bot " + text
	}
	var with []telegramtest.Option
	if m.random.IntN(8) == 0 {
		with = append(with, telegramtest.Document("note.txt", "text/plain", []byte("a note")))
	}
	c.open[c.Say(who, text, with...)] = c.said
	c.said++
}

// press presses a button of the last message that has some.
func (m *month) press(c *monthChat, who *telegramtest.User) {
	for _, msg := range slices.Backward(c.FromBot()) {
		if len(msg.Buttons) > 0 {
			c.Press(who, msg.ID, "3")
			return
		}
	}
}

// until lets time pass, and looks after hob as a watchdog does.
func (m *month) until(then time.Time) {
	for time.Now().Before(then) {
		pass(min(time.Until(then), 30*time.Second))
		ctx, cancel := context.WithTimeout(m.t.Context(), 10*time.Second)
		err := m.sessions.Alive(ctx)
		cancel()
		if late := time.Since(m.bot.State().Polled); err != nil || late > monthMost {
			if m.hurts++; m.hurts < 5 {
				m.t.Errorf("on %v Telegram was not asked for %v, and the sessions say %v", time.Now(), late, err)
			}
		}
	}
}

// night looks at what is left of a day.
func (m *month) night(day int) {
	midnight := time.Now()
	m.until(midnight.Add(quietHour - 10*time.Minute))
	if day%7 == 0 {
		for _, c := range m.chats[:monthPeople] {
			c.Say(c.who[0], "/new")
		}
	}
	m.until(midnight.Add(quietHour))
	m.srv.Heal(nil)
	m.until(midnight.Add(quietHour + 20*time.Minute)) // what was said at four rests
	for _, c := range m.chats {
		c.inspect(m.t, day)
	}
	for _, c := range m.away {
		if n := len(c.FromBot()) + len(c.Actions()); n > 0 {
			m.t.Errorf("day %d: a stranger sees the bot", day)
		}
	}
	if rest, err := m.sessions.Chats(m.t.Context()); err != nil || len(rest) > 0 {
		m.t.Errorf("day %d: chats are in memory at night: %v, %v", day, rest, err)
	}
	synctest.Wait()
	n := night{day: day, routines: bubble()}
	runtime.GC()
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	n.heap = mem.HeapAlloc
	m.nights = append(m.nights, n)
}

// bubble returns the number of goroutines of the test's bubble. Those of the runtime (a finalizer at work counts) come and go.
func bubble() int {
	text := make([]byte, 1<<20) // they are some tens
	return bytes.Count(text[:runtime.Stack(text, true)], []byte(", synctest bubble "))
}

// inspect looks at what was answered on a day. Each answer has the tokens of what it answers.
func (c *monthChat) inspect(t *testing.T, day int) {
	t.Helper()
	seen, last := map[int]int{}, c.before-1
	for _, m := range c.FromBot() {
		if m.ID <= c.read {
			continue
		}
		c.read = m.ID
		found, again := tokensIn(m.Text), strings.Contains(m.Text, "sent again")
		switch n, replies := c.open[m.ReplyTo]; {
		case len(found) == 0 && strings.HasPrefix(m.Text, "Another program asks for this bot's messages"): // as the chaos has it
			c.counts["told"]++
		case len(found) == 0 && (strings.HasPrefix(m.Text, "keys") || strings.HasPrefix(m.Text, beginning)):
			c.counts["own"]++
		case len(found) == 0 && replies && strings.Contains(m.Text, "Send it again"):
			c.counts["refused"]++
			seen[n]++
		case len(found) == 0 && m.Lost: // of which hob cannot know
			c.counts["lost"]++
		case len(found) == 0:
			t.Errorf("day %d, chat %d: something is left that is no answer: %q", day, c.n, m.Text)
		case again && seen[numberOf(found[0])] > 0:
			c.counts["again"]++
			continue
		}
		for _, f := range found {
			n := numberOf(f)
			if seen[n]++; seen[n] > 1 || n <= last {
				t.Errorf("day %d, chat %d: %s is answered %d times, the last time after %d: %q", day, c.n, f, seen[n], last, m.Text)
			}
			last = n
		}
	}
	for n := c.before; n < c.said; n++ {
		if seen[n] == 0 {
			t.Errorf("day %d, chat %d: message %d of %d is not answered", day, c.n, n, c.said)
		}
	}
	c.before = c.said
	clear(c.open)
}

func numberOf(token string) (n int) {
	chat := 0
	_, _ = fmt.Sscanf(token, "q%d-%d.", &chat, &n)
	return n
}

// verdict holds the end against the beginning.
func (m *month) verdict(days int) {
	counts := map[string]int{}
	for _, c := range m.chats {
		counts["said"] += c.said
		for what, n := range c.counts {
			counts[what] += n
		}
	}
	m.t.Logf("%d days: %v; the model was asked %d times, failed %d times; faults %v", days, counts, m.mind.asked, m.mind.failed, m.srv.Faults())
	v := slices.DeleteFunc(m.srv.Violations(), func(v telegramtest.Violation) bool { return v.Method == "getFile" }) // of two files at once
	if len(v) > m.forgiven {
		m.t.Errorf("calls came before the time that Telegram had named: %v", v)
	}
	if m.mind.strange > 0 {
		m.t.Errorf("the model was told %d times of what was not said to hob", m.mind.strange)
	}
	fewest := m.nights[0].routines
	for _, n := range m.nights {
		fewest = min(fewest, n.routines)
	}
	for i, n := range m.nights {
		m.t.Logf("night %d: %d goroutines, heap %d KiB", n.day, n.routines, n.heap>>10)
		// What leaks is there in the next night, too; what is there for one is a fault that is being waited out just then.
		if i > 0 && min(m.nights[i-1].routines, n.routines) > fewest {
			m.t.Errorf("night %d: %d goroutines, as in the one before, and %d in another", n.day, n.routines, fewest)
		}
	}
	if days < monthDays {
		return
	}
	// By the second week the Telegram of the test remembers all that it will.
	was, is := heapOf(m.nights[7:14]), heapOf(m.nights[days-7:])
	fmt.Printf("figure: heap in a month: %d KiB in the second week, %d KiB in the last (aim: no more than 5 %% apart)\n", was>>10, is>>10)
}

// heapOf is the middle of what the nights of a week show.
func heapOf(week []night) uint64 {
	var all []uint64
	for _, n := range week {
		all = append(all, n.heap)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
