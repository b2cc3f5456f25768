package arch

import "maps"

// imports is the table: a package below internal/ and what it may import of this module. cmd/hob may import all.
// Test files may import what they like below internal/, and everybody the packages of [shared].
func imports() map[string][]string {
	table := map[string][]string{
		"llm":                        {},
		"schema":                     {},
		"llm/toolcall":               {"llm", "schema"},
		"llm/toolcall/replies":       {}, // tests alone: labelled replies of models, which the reader is measured with
		"llm/ollama":                 {"llm", "llm/chattemplate", "llm/toolcall"},
		"llm/chattemplate":           {"llm"}, // what a model's template prints of a conversation
		"llm/chattemplate/rendered":  {},      // tests alone: what each family's template makes of a turn
		"llm/window":                 {"llm"},
		"llm/profile":                {"atomicfile", "llm", "llm/chattemplate", "tomlfile"},
		"llm/price":                  {},
		"llm/catalog":                {}, // the models that hob proposes
		"hardware":                   {}, // memory, graphics cards and disks of this machine
		"llm/ollama/ollamafake":      {"pipehttp"},
		"llm/queue":                  {"llm"},
		"llm/modeleval":              {"agent", "event", "llm", "llm/toolcall", "tools"}, // agent: tasks are played as every turn is
		"llm/ollamaserver":           {},
		"llm/ollamaserver/buildtool": {"llm/ollamaserver"},
		"llm/ollamatest":             {"llm", "llm/ollama", "llm/ollamaserver"},
		"event":                      {"llm"},
		"event/openturn":             {},             // what surfaces that fold a journal keep of turns
		"when":                       {"recurrence"}, // words of time, and what they say; it knows no clock
		"prose":                      {},
		"egress":                     {},
		"pipehttp":                   {}, // an HTTP server in memory, for fakes
		"exit":                       {},
		"atomicfile":                 {},                 // a file is written whole or not at all
		"egress/offline":             {"sandbox/inside"}, // runs the suite where there is no network
		"sandbox":                    {"sandbox/cgroup", "sandbox/inside", "sandbox/probe", "sandbox/proc"},
		"sandbox/inside":             {"sandbox/proc"}, // what runs within the walls knows nothing of who asked for them
		"sandbox/probe":              {},
		"sandbox/cgroup":             {"sandbox/proc"},
		"sandbox/proc":               {}, // processes and mounts, as the kernel shows them
		"pdf":                        {},
		"ical":                       {"recurrence"},                                      // calendars in and out
		"recurrence":                 {},                                                  // RRULE over the clocks on a wall
		"tomlfile":                   {},                                                  // where the keys of a TOML file stand; sets one in place
		"config":                     {"atomicfile", "llm/price", "schedule", "tomlfile"}, // what may be a price is said where it is charged, and what are hours where they count
		"schedule":                   {"event", "recurrence", "when"},
		"tools":                      {"llm", "event", "schema"}, // schema: arguments are held against theirs
		"store":                      {"event"},
		"store/storetest":            {"event", "store"},                                                  // a fake of the journal for tests
		"memory":                     {"event", "llm", "llm/window"},                                      // llm/window: what rides beside a message is counted as the window counts
		"receipt":                    {"event"},                                                           // what was done is said from what tools report, whoever plays the turn
		"policy":                     {"event", "llm", "receipt", "secret", "tools", "untrusted", "when"}, // receipt: it quotes what a call is for as a receipt does; when: it says times as people do
		"skills":                     {"driver", "event", "tools"},                                        // event: labels and levels are its words
		"skills/calendar":            {"event", "ical", "skills", "tools", "when"},                        // when: it names days in four languages
		"skills/folder":              {"event", "skills", "tools"},
		"skills/gamemaster":          gameMaster(),
		"skills/lists":               {"event", "skills", "skills/pages", "tools"},
		"skills/notes":               {"event", "skills", "skills/pages", "tools"},
		"skills/pages":               {"event", "memory", "tools"},                                                            // memory: the stems of words; Markdown that notes and lists keep in the workspace
		"skills/reminders":           {"event", "schedule", "skills", "skills/pages", "tools", "when"},                        // schedule: the next time of a rule is what it confirms
		"skills/skillstest":          {"event", "skills", "skills/pages", "store", "store/storetest", "tools", "tools/files"}, // what the tests of skills that keep files share
		"skills/system":              {"event", "sandbox/proc", "skills", "tools"},
		"skills/telegram":            {"event", "skills", "tools"},
		"skills/web":                 {"event", "skills", "tools", "tools/fetch"},                 // tools/fetch: an address is read as fetch reads it
		"mcp":                        {"event", "llm", "sandbox", "skills", "tools", "untrusted"}, // untrusted: its tools' words stand in the prompt
		"intents":                    {"classify", "llm", "when"},                                 // words of a person to calls; it runs nothing
		"classify":                   {},                                                          // a leaf: kinds and slots, learned from examples
		"intents/gen":                {"intents"},
		"intents/learn":              {"classify", "intents"},
		"session":                    {"agent", "agent/staged", "driver", "event", "intents", "llm", "llm/window", "policy", "receipt", "skills", "store", "tools", "tools/fetch"}, // tools/fetch: which links a page has told
		"sandbox/sandboxtest":        {},                                                                                                                                           // as whom the tests of walls run
		"race":                       {},                                                                                                                                           // tells tests of the race detector
		"golden":                     {},                                                                                                                                           // holds what a test gets against a file
		"arch/busy":                  {},                                                                                                                                           // runs go test
		"arch/report":                {},                                                                                                                                           // reads what go test -json prints
		"arch/sizes":                 {},                                                                                                                                           // lists what is long
		"markdown":                   {},                                                                                                                                           // what a terminal and a phone show is the same Markdown
		"surface/cli":                {"session", "event", "markdown", "atomicfile", "intents", "llm", "receipt"},                                                                  // intents, llm: which language was typed; receipt: its words
		"surface/cli/lineedit":       {},
		"surface/cli/live":           {"surface/cli", "surface/cli/lineedit"},
		"surface/http":               {"commands", "event", "llm/price", "session", "surface/http/api"}, // the server
		"surface/http/api":           {"commands", "event", "llm/price"},                                // its wire types, and the client; llm/price: an answer has the cost of its turn
		"surface/mcp":                {"session", "event", "tools", "policy"},
		"surface/web":                {"commands", "event", "event/openturn", "markdown", "session", "store", "surface/web/door", "when"}, // store: what the journal says of chats; when: it says times as people do
		"surface/web/certs":          {"atomicfile"},
		"surface/web/door":           {"event"}, // who gets in, over no protocol
		"untrusted":                  {},
		"secret":                     {},
		"arch":                       {},
	}
	for _, leaf := range shared() {
		table[leaf] = nil
	}
	maps.Copy(table, turns())
	maps.Copy(table, families())
	maps.Copy(table, upper())
	maps.Copy(table, telegramImports())
	maps.Copy(table, gameImports())
	return table
}

// shared are the small leaves that every package may import. They import nothing of hob's, and know no disk and no network.
func shared() []string {
	return []string{
		"display",      // writes text, sizes and numbers for people
		"editdistance", // how far apart two words are
		"excerpt",      // the lines of a text that a task is about
		"jsonl",        // writes JSON on a line, reads the members of an object, and answers lines with lines
		"lazyregexp",   // regular expressions that are compiled when they are first used
		"linux",        // what Linux's kernel has and others have not
		"lists",        // makes lists of other lists
		"numerals",     // reads numbers in words
		"phrases",      // files of words for people: key = words
		"prose",        // sections of an embedded file of text
		"recent",       // what belongs to the newest keys
		"retry",        // one loop with a back-off for everybody
	}
}

// earlyStart is the only file with a package variable whose initialiser runs code: a sandboxed command's helper leaves there
// and not in main. Of 300 starts in turns the quickest took 4.1 ms, and 8.7 ms where main was the one to leave (3.8 and 7.5 ms of
// CPU): the initialisers of some 40 packages lie between.
const earlyStart = "internal/sandbox/inside/inside.go"

// linkerSet is the only file with a bare package variable: the linker sets it in a release, which is before the program runs.
const linkerSet = "cmd/hob/version.go"

// upper are the packages that put the others together, below cmd/hob. client knows no server: daemon.ServeSocket serves the
// socket of a prompt, and is handed in.
func upper() map[string][]string {
	return map[string][]string{
		"app":       application(),
		"undo":      {"campaigns", "commands", "config", "event", "receipt", "store", "tools", "tools/files/changes"},                                     // what a change of the configuration and of a story is
		"model":     {"config", "exit", "hardware", "llm", "llm/catalog", "llm/chattemplate", "llm/ollama", "llm/profile", "llm/window", "skills/system"}, // the model that hob uses; skills/system: runs the driver of a card
		"doctor":    {"app", "config", "egress", "event", "llm", "llm/ollama", "mcp", "sandbox", "sandbox/probe", "store", "surface/http/api", "surface/telegram", "surface/telegram/chat", "surface/telegram/client", "tools", "tools/fetch", "tools/files"},
		"eval":      {"app", "campaigns", "driver", "event", "exit", "game", "game/eventlog", "game/rules", "game/scenes", "game/tales", "llm", "llm/modeleval", "llm/ollama", "llm/profile", "llm/toolcall", "model", "policy", "session", "skills", "skills/gamemaster", "store", "surface/cli", "tools", "tools/files/blobs"},
		"daemon":    {"app", "atomicfile", "backup", "commands", "config", "event", "exit", "hardware", "llm", "llm/price", "markdown", "model", "policy", "secret", "session", "skills/gamemaster", "skills/reminders", "store", "surface/cli", "surface/http", "surface/http/api", "surface/mcp", "surface/telegram", "surface/telegram/chat", "surface/telegram/client", "surface/telegram/inbound", "surface/web", "surface/web/certs", "surface/web/door", "tools"},
		"commands":  {"event", "llm", "markdown", "tools", "when"}, // when: the page says times as people do; what people ask for besides words; llm: turns stand still for what is wrong with a model, in its words
		"client":    {"app", "commands", "event", "exit", "llm", "model", "session", "store", "surface/cli", "surface/http/api", "tools"},
		"backup":    {"app", "atomicfile", "config", "event", "exit", "store"},                                                                                                                                                                                                              // all that hob keeps, in one file
		"campaigns": {"atomicfile", "event", "exit", "game", "game/author", "game/chart", "game/exec", "game/ink", "game/rules", "game/rules/land", "game/rules/story", "game/eventlog", "game/proof", "game/saves", "game/tales", "game/world", "skills/gamemaster", "store", "untrusted"}, // what the game master keeps, over the store, and what hob game does

		"client/tour":   {"app", "client", "event", "llm", "surface/cli", "surface/http/api"},                                                                                       // a hob of its own, with a script for its model
		"client/prompt": {"app", "client", "commands", "event", "exit", "markdown", "session", "skills/gamemaster", "surface/cli", "surface/cli/live", "surface/http/api", "tools"}, // gamemaster: a story takes some lines
	}
}

// application is what the package that builds a hob from its configuration needs: everything but surfaces, and what is built of it.
func application() []string {
	return []string{"agent", "campaigns", "commands", "intents", "config", "egress", "event", "exit", "game", "game/author", "game/proof", "game/rules", "game/tales", "llm", "llm/ollama", "llm/queue", "llm/toolcall", "markdown", "mcp", "model", "memory", "pdf", "policy", "sandbox", "secret", "session", "skills", "skills/calendar", "skills/folder", "skills/gamemaster", "skills/notes", "skills/system", "skills/telegram", "skills/web", "store", "tools", "tools/fetch", "tools/files", "tools/files/blobs", "tools/files/changes", "tools/files/origins", "tools/files/tree", "tools/files/watch", "tools/recall", "tools/shell", "undo", "untrusted", "skills/lists", "skills/reminders", "schedule", "ical"}
}

// gameMaster is what the skill that runs games needs of the game: all that a player meets.
func gameMaster() []string {
	return []string{"driver", "event", "skills", "tools", "game", "game/chart", "game/dice", "game/narration", "game/parser", "game/roll", "game/rules", "game/rules/checks", "game/rules/land",
		"game/rules/story", "game/eventlog", "game/show", "game/tales", "game/account", "game/world"}
}

// turns are the packages that play a turn. The loop knows no driver: a stage does, and session wires the two.
func turns() map[string][]string {
	return map[string][]string{
		"driver":          {"tools"},                                                                                             // the words between the loop and a skill that drives a chat
		"agent":           {"agent/claims", "agent/grounding", "llm", "llm/toolcall", "llm/window", "event", "tools", "receipt"}, // window: a turn outgrows the context half way
		"agent/claims":    {},                                                                                                    // what an answer says was done, and what it promises
		"agent/grounding": {},                                                                                                    // what an answer says and its sources do not
		"agent/staged":    {"agent", "driver", "event", "llm", "tools"},                                                          // turns that a driver leads
		"agent/agenttest": {"agent", "event", "llm", "tools"},
	}
}

// telegramImports is the part of the table for hob on Telegram. What comes in and what goes out do not know each other.
func telegramImports() map[string][]string {
	return map[string][]string{
		"surface/telegram":                     {"commands", "session", "event", "markdown", "surface/telegram/chat", "surface/telegram/client", "surface/telegram/groups", "surface/telegram/inbound", "surface/telegram/outbound"},
		"surface/telegram/chat":                {"event"},
		"surface/telegram/client":              {"surface/telegram/chat"},
		"surface/telegram/groups":              {"event", "surface/telegram/chat", "surface/telegram/client"},
		"surface/telegram/inbound":             {"commands", "event", "markdown", "session", "surface/telegram/chat", "surface/telegram/client", "surface/telegram/markup"},
		"surface/telegram/outbound":            {"event", "event/openturn", "session", "surface/telegram/chat", "surface/telegram/client", "surface/telegram/markup"},
		"surface/telegram/sessiontest":         {"event", "session", "store", "store/storetest"}, // sessions that a test plays
		"surface/telegram/markup":              {"markdown"},                                     // what models write is text wherever it is told
		"surface/telegram/telegramtest":        {"pipehttp"},
		"surface/telegram/telegramtest/person": {"surface/telegram/telegramtest"}, // a person for a hob that is a program
	}
}

// families are the packages that hold hob's own tools, and what those share. No family but shell knows another.
func families() map[string][]string {
	return map[string][]string{
		"tools/fetch":     {"egress", "event", "tools"},
		"tools/recall":    {"event", "memory", "tools"},
		"tools/shell":     {"event", "sandbox", "tools", "tools/files/watch"}, // watch: what a command has changed
		"tools/toolstest": {"event", "sandbox", "sandbox/sandboxtest", "tools"},

		"tools/files":           {"event", "schema", "tools", "tools/files/blobs", "tools/files/changes", "tools/files/origins", "tools/files/tree", "tools/files/watch"}, // schema: a pattern is quoted as an argument is
		"tools/files/blobs":     {"event", "sandbox", "tools", "tools/files/tree"},                                                                                        // sandbox: what is left out of a result is said as of a command's
		"tools/files/changes":   {"event", "tools", "tools/files/tree"},
		"tools/files/filestest": {"event", "tools", "tools/files", "tools/files/changes", "tools/files/origins", "tools/files/watch", "tools/toolstest"},
		"tools/files/origins":   {"event", "tools", "tools/files/tree"},
		"tools/files/tree":      {"event", "schema", "tools"}, // schema: as above, of a path
		"tools/files/watch":     {"event", "tools", "tools/files/origins", "tools/files/tree"},
	}
}

// gameImports is the game's part of the table: rules of play, which know no model, no clock and no disk.
func gameImports() map[string][]string {
	return map[string][]string{
		"game":                  {"game/calendar", "game/dice", "game/rules", "game/rules/checks", "game/rules/land", "game/rules/people", "game/rules/story", "game/rules/things", "game/rules/travel", "game/eventlog", "game/saves", "game/spelling", "game/world"},
		"game/atlas":            {"game/spelling"}, // where places lie, as numbers
		"game/calendar":         {},
		"game/chart":            {"game/spelling"}, // how they are drawn
		"game/chart/glyphs":     {},                // writes their letters, once
		"game/cmdline":          {"game/rules"},    // its tools on a command line
		"game/dice":             {},
		"game/exec":             {"game", "game/rules", "game/eventlog", "game/saves", "game/world"}, // a game as lines of JSON
		"game/roll":             {"game/dice"},                                                       // dice for whoever asks on a command line
		"game/rules":            {"game/distance", "game/spelling", "game/world"},                    // distance: how far zones are apart
		"game/rules/checks":     {"game/rules", "game/world"},
		"game/rules/land":       {"game/atlas", "game/calendar", "game/chart", "game/rules", "game/distance", "game/spelling", "game/world"},
		"game/rules/people":     {"game/rules", "game/world"},
		"game/rules/rulestest":  {"game/rules", "game/world"}, // what the tests of all families share
		"game/rules/story":      {"game/calendar", "game/rules", "game/spelling", "game/world"},
		"game/rules/things":     {"game/rules", "game/world"},
		"game/rules/travel":     {"game/calendar", "game/rules", "game/distance", "game/world"},
		"game/eventlog":         {"game/rules", "game/world"},                                                                                                         // what happened: outcomes and events
		"game/saves":            {"game/calendar", "game/distance", "game/world"},                                                                                     // calendar: a session's clock is a date
		"game/spelling":         {},                                                                                                                                   // words by their letters, in the three languages of stories
		"game/account":          {"game/calendar", "game/rules", "game/rules/story", "game/spelling", "game/world"},                                                   // the engine's own words for a turn
		"game/account/turntest": {"game", "game/eventlog", "game/rules", "game/rules/story", "game/account", "game/world"},                                            // turns for tests
		"game/narration":        {"classify", "game/rules", "game/rules/story", "game/spelling", "game/account", "game/world"},                                        // the check of what a model narrates; account: it holds it against the facts
		"game/parser":           {"game/rules", "game/rules/story", "game/spelling", "game/world"},                                                                    // plain words of players, as calls
		"game/tales":            {"game/calendar", "game/chart", "game/rules", "game/world", "untrusted"},                                                             // stories; untrusted: some are anybody's
		"game/show":             {"game/calendar", "game/chart", "game/rules", "game/rules/land", "game/rules/story", "game/eventlog", "game/spelling", "game/world"}, // what players are shown
		"game/proof":            {"game", "game/eventlog", "game/rules", "game/tales", "game/account", "game/world"},                                                  // how a tale can be won
		"game/author":           {"game/atlas", "game/chart", "game/rules", "game/tales"},                                                                             // a tale that a model writes, part by part; it knows no model
		"game/ink":              {"game/tales"},                                                                                                                       // a tale of choices that was written in Ink
		"game/distance":         {},
		"game/scenes":           {}, // what models that run a story are measured with
		"game/world":            {},
	}
}
