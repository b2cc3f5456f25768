package intents

import "sync"

// kind is a kind of chore.
type kind struct {
	name string // as a Reading has it, or with "/" and a variant behind it
	tool string // that it becomes a call of; "" is none
	// args are the call's arguments, as name=value with a space between them. A value is JSON, or a slot in braces whose
	// argument is left out where the sentence has no such slot, or is the JSON behind a "|".
	args    string
	acts    bool // it changes something
	many    bool // it may delete or empty more than one thing
	command bool // tool is a row of the table of commands
	near    bool // without a number it is about a reminder of just now
	// bare says that the words name no list, and may be no chore: see [Reading.Bare]. Each thing is a word or two.
	bare bool
	// retracts says that it takes back what was just asked for. Words that are of another kind, too, are of that one, and retract.
	retracts bool
	// after names the tools right after whose call the words are understood, and nowhere else: see [Sentences.Following].
	after string
}

// The kinds of what is said after a chore that do more than change its arguments.
const (
	takeBack = "take_back" // the call that was made is taken back
	instead  = "instead"   // other things are meant than those that were put on a list
)

// calculation is the kind of sums.
const calculation = "calculate"

// greeting is the kind of greetings.
const greeting = "hello"

// calendarAdd is the kind of what is to be put into a calendar.
const calendarAdd = "calendar_add"

// kinds returns the chores that hob understands.
var kinds = sync.OnceValue(allKinds)

// allKinds has the order of the list for people.
func allKinds() []kind {
	return []kind{
		{name: "note", tool: "note_add", args: "text={text} topic={topic}", acts: true},
		{name: "notes", tool: "note_find", args: "topic={topic}"},
		{name: "note_find", tool: "note_find", args: "query={query}"},
		{name: "note_remove", tool: "note_remove", args: "note={note}", acts: true},

		{name: "remember", tool: "remember", args: "text={text}", acts: true},
		{name: "facts", tool: "memory", command: true},
		{name: "fact_find", tool: "recall", args: "query={query}"}, // of facts alone: who resolves it says so
		{name: "fact_forget", tool: "forget", args: "fact={note}", acts: true},
		// Of a clause the tool finds the fact that fits best, which may not be the one that is meant.
		{name: "fact_forget/that", tool: "forget", args: "fact={note}", acts: true, many: true},

		{name: "list_add", tool: "list_add", args: "list={list} items={items}", acts: true},
		{name: "list_add/bare", tool: "list_add", args: "list={list} items={items}", acts: true, bare: true},
		{name: "list_add/new", tool: "list_add", args: "list={list} items={items}", acts: true},
		{name: "list_show", tool: "list_show", args: "list={list}"},
		{name: "list_show/shopping", tool: "list_show", args: `list="shopping"`},
		{name: "list_show/todo", tool: "list_show", args: `list="todo"`},
		{name: "list_tick", tool: "list_tick", args: `list={list|"shopping"} items={items}`, acts: true},
		{name: "list_tick/bought", tool: "list_tick", args: "list={list} items={items}", acts: true, bare: true},
		{name: "list_untick", tool: "list_tick", args: `list={list|"shopping"} items={items} open=true`, acts: true},
		{name: "list_remove", tool: "list_remove", args: `list={list|"shopping"} items={items}`, acts: true},
		{name: "list_clear", tool: "list_remove", args: `list={list|"shopping"} ticked=true`, acts: true, many: true},
		{name: "list_clear/all", tool: "list_remove", args: "list={list} all=true", acts: true, many: true},
		{name: "lists", tool: "list_show"},

		{name: "calendar", tool: "calendar", args: "from={day}"},
		{name: "calendar/week", tool: "calendar", args: `from="week"`},
		// hob only reads calendars: it asks whether to remind of it instead, or says so.
		{name: calendarAdd, tool: "remind", args: "text={remind}", acts: true},
		{name: "calendar_change"},

		{name: "file_make", tool: "write_file", args: `path={path} content={content|""}`, acts: true},
		{name: "file_append", tool: "write_file", args: `path={path} content={content} mode="append"`, acts: true},
		{name: "file_read", tool: "read_file", args: "path={path}"},
		{name: "file_list", tool: "list_files", args: `path={dir|"."}`},
		{name: "file_find", tool: "find_files", args: "name={query}"},
		{name: "file_search", tool: "search_files", args: "pattern={query}"},
		{name: "file_move", tool: "move_file", args: "path={path} to={to}", acts: true},
		{name: "file_copy", tool: "copy_file", args: "path={path} to={to}", acts: true},
		{name: "folder_make", tool: "make_folder", args: "path={to}", acts: true},
		{name: "file_delete", tool: "delete_file", args: "path={path}", acts: true},
		{name: "file_send", tool: "send_file", args: "path={path}", acts: true},

		{name: "remind", tool: "remind", args: "text={remind}", acts: true},
		{name: "remind/before", tool: "remind", args: "before={before} text={remind}", acts: true},
		{name: "remind/after", tool: "remind", args: "text={before} title={title} ahead={ahead}", acts: true},
		{name: "remind/counted", tool: "remind", args: "text={remind}", acts: true}, // only what counts from an appointment may stand there
		{name: "remind/that", tool: "remind", args: "text={remind} title={what}", acts: true},
		{name: "remind/ahead", tool: "remind", args: "event={event} text={ahead} title={remind}", acts: true},
		{name: "remind/behind", tool: "remind", args: "event={event} text={ahead} title={remind} behind=true", acts: true},
		{name: "remind/yearly", tool: "remind", args: "event={event} often={often} text={remind} title={title}", acts: true},
		{name: "remind/day", tool: "remind", args: "event={event} text={remind} title={title} on=true", acts: true},
		{name: "remind/other", tool: "remind", args: "text={remind} for={for}", acts: true},
		{name: "remind/other_before", tool: "remind", args: "before={before} text={remind} for={for}", acts: true},
		{name: "timer", tool: "remind", args: "text={remind} timer=true", acts: true},
		{name: "timer/named", tool: "remind", args: "text={remind} title={title} timer=true", acts: true},
		{name: "timer/before", tool: "remind", args: `before={before} text="" timer=true`, acts: true},
		{name: "alarm", tool: "remind", args: `text={remind} title="⏰" wake=true`, acts: true},
		{name: "alarm/before", tool: "remind", args: `before={before} text={remind|""} title="⏰" wake=true`, acts: true},
		{name: "reminders", tool: "reminders"},
		{name: "reminders/timers", tool: "reminders", args: `only="timers"`},
		{name: "reminders/alarms", tool: "reminders", args: `only="alarms"`},
		{name: "reminders/next", tool: "reminders", args: `only="next"`},
		{name: "reminders/left", tool: "reminders", near: true},
		{name: "reminder_done", tool: "reminder", args: `id={n} about={about} change="done"`, acts: true, near: true},
		{name: "reminder_cancel", tool: "reminder", args: `id={n} change="cancel"`, acts: true},
		{name: "reminder_cancel/one", tool: "reminder", args: `only="reminders" change="cancel"`, acts: true},
		{name: "reminder_cancel/alarm", tool: "reminder", args: `id={n} only="alarms" about={about} change="cancel"`, acts: true},
		{name: "reminder_cancel/timer", tool: "reminder", args: `id={n} only="timers" about={about} change="cancel"`, acts: true},
		{name: "reminder_cancel/about", tool: "reminder", args: `about={about} change="cancel"`, acts: true},
		{name: "reminder_cancel/all", tool: "reminder", args: `change="cancel\u0020all"`, acts: true, many: true},
		{name: "reminder_cancel/alarms", tool: "reminder", args: `only="alarms" change="cancel\u0020all"`, acts: true, many: true},
		{name: "reminder_cancel/timers", tool: "reminder", args: `only="timers" change="cancel\u0020all"`, acts: true, many: true},
		{name: "reminder_move", tool: "reminder", args: "id={n} change={time}", acts: true, near: true},
		{name: "reminder_move/about", tool: "reminder", args: "about={about} change={time}", acts: true},
		{name: "reminder_move/later", tool: "reminder", args: `only="rung" change="in\u002010\u0020minutes"`, acts: true, near: true},
		{name: "reminder_move/snooze", tool: "reminder", args: `only="rung" change={time|"in\u002010\u0020minutes"}`, acts: true},

		{name: "machine", tool: "system_status"},
		{name: "disk", tool: "system_status", args: `about="disk"`},
		{name: "memory", tool: "system_status", args: `about="memory"`},
		{name: "load", tool: "system_status", args: `about="load"`},
		{name: "uptime", tool: "system_status", args: `about="uptime"`},
		{name: "services", tool: "service_list"},
		{name: "services_failed", tool: "service_list", args: "failed=true"},
		{name: "service", tool: "service_list", args: "pattern={unit}"},
		{name: "service_log", tool: "service_log", args: "unit={unit} lines={lines}"},
		{name: "time", tool: "time"},
		{name: "date", tool: "time", args: `about="date"`},
		{name: "time_in", tool: "time", args: "zone={zone}"},
		{name: "days_until", tool: "time", args: "about={day}"},
		{name: "zone", tool: "zone", command: true},
		{name: "zone_set", tool: "zone", args: "set={zone}", acts: true, command: true},
		{name: "run", tool: "run_command", args: "command={command}", acts: true},

		{name: "page_read", tool: "fetch", args: "url={url}"},

		{name: "processes", tool: "process"},
		{name: "process_output", tool: "process", args: "id={n}"},
		{name: "process_stop", tool: "process", args: "id={n} stop=true", acts: true},

		{name: "undo", tool: "undo", acts: true, command: true},
		{name: "undo/list", tool: "undo", args: `list=""`, command: true},
		// The number of a reminder, of a change or of a note: who knows which there are says which it is.
		{name: "numbered", tool: "undo", args: "change={n}", acts: true, command: true},
		{name: "numbered/delete", tool: "reminder", args: `id={n} change="cancel"`, acts: true},
		{name: "undo_change", tool: "undo", args: "change={n}", acts: true, command: true},
		{name: "undo_many", tool: "undo", args: "last={n}", acts: true, many: true, command: true},
		{name: "undo_past", tool: "undo", args: "={past}", acts: true, many: true, command: true},
		{name: "status", tool: "status", command: true},
		{name: "status/here", tool: "status", command: true}, // its answer is short
		{name: "log", tool: "log", args: "of={past}", command: true},
		{name: "help", tool: "help", command: true},
		{name: "tools", tool: "tools", command: true},
		{name: "tool_on", tool: "tools", args: "enable={tool}", acts: true, command: true},
		{name: "tool_off", tool: "tools", args: "disable={tool}", acts: true, command: true},
		{name: "skills", tool: "skill", command: true},
		{name: "skill_open", tool: "skill", args: "open={skill}", acts: true, command: true},
		{name: "skill_close", tool: "skill", args: "close={skill}", acts: true, command: true},
		{name: "models", tool: "model", command: true},
		{name: "privacy", tool: "privacy", command: true},
		{name: "approvals", tool: "approve", command: true},
		{name: "retry", tool: "retry", acts: true, command: true},
		{name: "new", tool: "new", acts: true, command: true},
		{name: "stop", tool: "stop", acts: true, command: true},
		{name: "never_mind", tool: "stop", acts: true, command: true, near: true, retracts: true},
		{name: "version", tool: "version", command: true},
		{name: "chat_search", tool: "recall", args: "query={query}"},

		{name: "roll", tool: "roll_dice", args: "expr={dice}"},
		{name: "roll/die", tool: "roll_dice", args: `expr="1d6"`},
		{name: "coin", tool: "roll_dice", args: `expr="1d2"`},
		{name: calculation, tool: calculation, args: "sum={sum}", command: true},

		{name: "stories", tool: "game"},
		{name: "story_new", tool: "game", args: "words={tale}", acts: true},
		{name: "story_open", tool: "game", args: "words={story}", acts: true},

		{name: "more", after: "list_add list_tick list_remove", args: "items={items}", acts: true},
		{name: instead, after: "list_add", args: "items={items}", acts: true},
		{name: "more/shown", tool: "list_show", after: "list_add list_tick list_remove list_show"},
		{name: "more/add", tool: "list_add", after: "list_show", args: "items={items}", acts: true},
		{name: "more/read", tool: "read_file", after: "write_file move_file copy_file"},
		{name: "more/send", tool: "send_file", after: "write_file read_file move_file copy_file"},
		{name: "more/rename", tool: "move_file", after: "write_file read_file send_file move_file copy_file", args: "to={to}", acts: true},
		{name: "more/copy", tool: "copy_file", after: "write_file read_file send_file move_file", args: "to={to}", acts: true},
		{name: "more/delete", tool: "delete_file", after: "read_file send_file move_file", acts: true},
		{name: "more/list", after: "list_show", args: "list={list}"},
		{name: "more/day", after: "calendar", args: "from={day}"},
		{name: "more/zone", after: "time", args: "zone={zone}"},
		{name: "more/again", after: "roll_dice"},
		{name: takeBack, after: anyTool, acts: true},
		{name: takeBack + "/made", after: makers, acts: true},

		{name: greeting},
		{name: "good_night"},
		{name: "thanks"},
		{name: "about"},
	}
}
