package people

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// noTopic is a notice: who was asked has nothing to say about that, or nothing that may be said yet.
const noTopic rules.Code = "no_topic"

// runTalk runs the tool talk. Its result is
//
//	{"npc_id","topic","text","topics":[names],"given"?:object,"revealed"?:fact,
//	 "check"?:{"skill","roll","total","dc","outcome","roll_no","ticked_clocks"?}}
//
// where topics are what can be asked about just now, and text is what is said: of a check that
// failed, that nothing is. What cannot be said yet is answered as what nobody knows of.
func runTalk(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	npc, missing := findActor(s.World, a.Text("npc_id"))
	if missing != nil {
		return missing
	}
	if d := checkTalk(s, actor, npc); d != nil {
		return d
	}
	c := conversation{s: s, actor: actor, npc: npc, topic: strings.TrimSpace(a.Text("topic"))}
	return c.answer()
}

// checkTalk refuses a talk that is not possible.
func checkTalk(s *rules.Step, actor, npc *world.Actor) *rules.Verdict {
	switch {
	case !rules.CanAct(actor):
		return rules.Refuse(rules.ActorRestricted, "talk.unable", actor)
	case actor.ID == npc.ID:
		return rules.Refuse(rules.SelfTarget, "talk.self", actor)
	case npc.Place != actor.Place || s.World.Place(npc.Place) == nil:
		return rules.Refuse("not_here", "talk.far", npc)
	case npc.State == world.Dead:
		return rules.Refuse(targetDead, "talk.dead", npc)
	case npc.State == world.Dying || npc.State == world.Unconscious:
		return rules.Refuse("target_down", "talk.down", npc)
	}
	return nil
}

// conversation is an actor who asks another one about a topic.
type conversation struct {
	s          *rules.Step
	actor, npc *world.Actor
	topic      string
	result     *rules.Obj
}

// answer finds the answer and gives it.
func (c *conversation) answer() *rules.Verdict {
	open := c.s.World.OpenTalk(c.npc)
	at := rules.Greeting(c.npc, open)
	if c.topic != "" {
		at = rules.FindTopic(c.npc.Talk, open, c.topic)
	}
	key := "talk.nothing"
	c.result = rules.NewObj().Text("npc_id", c.npc.ID)
	if at < 0 {
		if c.topic == "" {
			key = "talk.silent"
		}
		text := c.s.Say(key, c.npc)
		c.result.Text("topic", c.topic).Text("text", text).List("topics", c.topics())
		return rules.AcceptNoting(noTopic, c.result, "talk.words", text+c.topicsLine())
	}
	t := c.npc.Talk[at]
	c.result.Text("topic", rules.NameOrID(t.Topic, c.topic))
	if t.Skill != "" && t.DC > 0 && !t.Said {
		if d := c.rollCheck(t); d != nil {
			return d
		}
	}
	lines := c.say(at)
	return rules.Accept(c.result, "talk.words", strings.Join(lines, " ")+c.topicsLine())
}

// rollCheck rolls for an answer that must be earned. Nil: it was.
func (c *conversation) rollCheck(t world.Talk) *rules.Verdict {
	bonus, _ := rules.Skill(c.actor, t.Skill)
	thrown, err := c.s.RollD20(bonus, "", t.Skill)
	if err != nil {
		return rules.Refuse(rules.Internal, "talk.no_dice", err.Error())
	}
	outcome := thrown.Against(t.DC)
	ticked, clocks := c.s.TickOnFail(outcome)
	check := rules.NewObj().Text("skill", t.Skill).Int("roll", thrown.Natural).Int("total", thrown.Total).Int("dc", t.DC).
		Text("outcome", outcome).Int("roll_no", thrown.Roll.No).Some("ticked_clocks", ticked)
	if outcome != rules.Fail && outcome != rules.Fumble {
		c.result.Obj("check", check)
		return nil
	}
	text := c.s.Say("talk.failed", c.actor, c.npc, t.Skill, thrown.Total, t.DC)
	c.result.Text("text", text).List("topics", c.topics()).Obj("check", check)
	return rules.Accept(c.result, "talk.words", strings.TrimSpace(text+" "+clocks))
}

// say gives an answer, the first time with everything that comes of it.
func (c *conversation) say(at int) (lines []string) {
	t := c.npc.Talk[at]
	lines = append(lines, c.s.Say("talk.said", c.npc, t.Text))
	if t.Text == "" {
		lines[0] = c.s.Say("talk.silent", c.npc)
	}
	given, revealed := "", ""
	if !t.Said {
		c.npc = rules.Change(c.s, c.npc, func(next *world.Actor) {
			next.Talk = slices.Clone(next.Talk)
			next.Talk[at].Said = true
		})
		given, revealed = c.give(t.Gives), c.reveal(t.Reveals)
	}
	c.result.Text("text", t.Text).List("topics", c.topics())
	if given != "" {
		lines = append(lines, c.s.Say("talk.gives", c.npc, c.actor, given))
		c.result.Text("given", t.Gives)
	}
	c.result.Some("revealed", revealed)
	return lines
}

// give hands over an object, if the one who is asked has it, and returns its name.
func (c *conversation) give(id string) string {
	t := c.s.World.Thing(id)
	if t == nil || !c.s.World.Carries(c.npc.ID, id) {
		return ""
	}
	rules.Change(c.s, t, func(next *world.Thing) { next.Parent, next.Rel, next.Hidden = c.actor.ID, "", false })
	return rules.NameOf(t)
}

// reveal makes a fact known to those of the party who are here, and returns its id.
func (c *conversation) reveal(id string) string {
	f := c.s.World.Fact(id)
	if f == nil {
		return ""
	}
	next := *f
	next.Secret = false
	for _, a := range witnessesAt(c.s.World, c.actor.Place) {
		of := a == c.actor.ID || rules.InParty(c.s.World, a)
		if of && !slices.Contains(next.Witnesses, a) {
			next.Witnesses = world.Append(next.Witnesses, a)
		}
	}
	c.s.Put(&next)
	return id
}

// topics returns the names of the present topics, each once.
func (c *conversation) topics() []string {
	return unique(lists.Map(c.s.World.OpenTalk(c.npc), func(i int) string { return c.npc.Talk[i].Topic }))
}

// topicsLine lists the topics where nothing was asked.
func (c *conversation) topicsLine() string {
	topics := c.topics()
	if c.topic != "" || len(topics) == 0 {
		return ""
	}
	return "\n" + c.s.Say("talk.topics", c.s.Join("people.list", topics))
}
