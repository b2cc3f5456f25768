-- A journal as hob left it with schema 10. Never edit it: the test of migrations begins here.

PRAGMA application_id = 0x686f6221;

CREATE TABLE event (
	seq  INTEGER PRIMARY KEY AUTOINCREMENT, -- no number twice, even if rows are deleted by hand: marks point at them
	time INTEGER NOT NULL,
	chat TEXT    NOT NULL CHECK (chat <> ''),
	turn INTEGER NOT NULL,
	type TEXT    NOT NULL CHECK (type <> ''),
	key  TEXT    NOT NULL,
	body TEXT    NOT NULL
, crc INTEGER) STRICT;

CREATE UNIQUE INDEX event_by_key ON event (chat, key) WHERE key <> '';
CREATE INDEX event_by_chat ON event (chat, seq);

CREATE TABLE open_turn (
	turn INTEGER PRIMARY KEY REFERENCES event (seq) ON DELETE CASCADE,
	chat TEXT    NOT NULL
) STRICT;

CREATE TRIGGER turn_begins AFTER INSERT ON event WHEN new.type = 'said' AND new.turn = new.seq BEGIN
	INSERT INTO open_turn (turn, chat) VALUES (new.turn, new.chat);
END;

CREATE TRIGGER turn_ends AFTER INSERT ON event WHEN new.type = 'ended' BEGIN
	DELETE FROM open_turn WHERE turn = new.turn;
END;

CREATE TABLE mark (
	reader TEXT    PRIMARY KEY CHECK (reader <> ''),
	seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name changes by it: no number twice
	time    INTEGER NOT NULL,
	chat    TEXT    NOT NULL,
	turn    INTEGER NOT NULL,
	tool    TEXT    NOT NULL,
	undoes  INTEGER NOT NULL, -- the change that this one takes back, or 0
	part    INTEGER NOT NULL, -- the first change of the same call, or 0
	what    TEXT    NOT NULL, -- the command that did it, in a line, or nothing
	path    TEXT    NOT NULL,
	folders INTEGER NOT NULL,
	before  TEXT    NOT NULL, -- JSON of an event.FileState
	after   TEXT    NOT NULL,
	image   BLOB,             -- the sum of the content it replaced; NULL where there was none, or it was too large to keep
	stage   TEXT    NOT NULL
, by TEXT NOT NULL DEFAULT '') STRICT;

CREATE INDEX change_by_time ON change (time);

CREATE TABLE image (
	sum    BLOB    PRIMARY KEY, -- SHA-256 of the content
	used   INTEGER NOT NULL,    -- the newest change that replaced it
	stored INTEGER NOT NULL,    -- bytes of data
	size   INTEGER NOT NULL,    -- bytes of the content; more than stored where data is compressed
	data   BLOB    NOT NULL
) STRICT;

CREATE INDEX image_by_use ON image (used, stored);

CREATE TABLE contact (
	day         INTEGER NOT NULL, -- since 1970 began, UTC
	reason      TEXT    NOT NULL CHECK (reason <> ''),
	host        TEXT    NOT NULL CHECK (host <> ''),
	address     TEXT    NOT NULL,
	first       INTEGER NOT NULL,
	last        INTEGER NOT NULL,
	connections INTEGER NOT NULL,
	sent        INTEGER NOT NULL,
	received    INTEGER NOT NULL,
	refused     INTEGER NOT NULL,
	why         TEXT    NOT NULL,
	PRIMARY KEY (day, reason, host)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
	id          INTEGER PRIMARY KEY AUTOINCREMENT, -- 1, 2, 3 and so on: a hole is a record that was taken out
	seq         INTEGER NOT NULL, -- of the event that is the call's result, or 0
	time        INTEGER NOT NULL,
	chat        TEXT    NOT NULL,
	session_id  TEXT    NOT NULL,
	turn        INTEGER NOT NULL,
	call_id     TEXT    NOT NULL,
	user        TEXT    NOT NULL,
	platform    TEXT    NOT NULL,
	tool_name   TEXT    NOT NULL,
	source      TEXT    NOT NULL,
	args_hash   TEXT    NOT NULL,
	duration_ms INTEGER NOT NULL,
	status      TEXT    NOT NULL,
	error       TEXT    NOT NULL,
	rule        TEXT    NOT NULL,
	tokens      INTEGER NOT NULL,
	repairs     TEXT    NOT NULL, -- JSON, or nothing
	prev        TEXT    NOT NULL, -- hash of the record before
	hash        TEXT    NOT NULL
) STRICT;

CREATE TABLE granted (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name grants by it: no number twice
	time    INTEGER NOT NULL,
	by      TEXT    NOT NULL,
	tool    TEXT    NOT NULL CHECK (tool <> ''),
	host    TEXT    NOT NULL,
	path    TEXT    NOT NULL,
	revoked INTEGER, -- when it was; NULL while it is in force
	CHECK ((host = '') <> (path = ''))
) STRICT;

CREATE UNIQUE INDEX granted_once ON granted (tool, host, path) WHERE revoked IS NULL;

CREATE TABLE origin (
	path      BLOB    PRIMARY KEY, -- any bytes that a file system takes
	untrusted INTEGER NOT NULL,
	private   INTEGER NOT NULL,
	source    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE request (
	n       INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they came
	time    INTEGER NOT NULL,
	chat    TEXT    NOT NULL,
	id      TEXT    NOT NULL CHECK (id <> ''),
	hash    TEXT    NOT NULL,
	outcome TEXT, -- JSON; NULL while there is none
	UNIQUE (chat, id)
) STRICT;

CREATE INDEX request_by_time ON request (time);

CREATE TABLE revision (
	n INTEGER NOT NULL -- the only row's: how often grants and settings were written
) STRICT;

CREATE TRIGGER granted_comes   AFTER INSERT ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER granted_changes AFTER UPDATE ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER granted_goes    AFTER DELETE ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_comes   AFTER INSERT ON setting BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_changes AFTER UPDATE ON setting BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_goes    AFTER DELETE ON setting BEGIN UPDATE revision SET n = n + 1; END;

INSERT INTO event VALUES (1, 1700000000123, 'main', 1, 'said', 'said/a', '{"input_id":"a","from":"ann","text":"Grüße 🧙"}', 2489548364);
INSERT INTO event VALUES (2, 1700000001000, 'main', 1, 'replied', '', '{"text":"Hello.\u0000"}', 3796126147);
INSERT INTO event VALUES (3, 1700000002000, 'main', 1, 'ended', '', '{"reason":"done","steps":1,"calls":0,"prompt_tokens":0,"eval_tokens":0}', 1807000300);
INSERT INTO event VALUES (7, 1700000003000, 'telegram/1', 7, 'said', 'said/a', '{"input_id":"a","text":"open"}', NULL);
UPDATE sqlite_sequence SET seq = 9 WHERE name = 'event';
INSERT INTO mark VALUES ('terminal', 3);
INSERT INTO revision VALUES (11);
INSERT INTO setting VALUES ('model', 'qwen3:4b');
INSERT INTO setting VALUES ('audit/begin', '9');

INSERT INTO change VALUES (4, 1700000002500, 'main', 1, 'write_file', 0, 0, '', '/home/ann/notes.md', 1, '{"kind":""}',
	'{"kind":"file","size":2,"sum":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","mode":420}', NULL, 'made', 'cli/owner');
INSERT INTO change VALUES (5, 1700000002600, 'main', 1, 'delete_file', 0, 0, '', '/home/ann/notes.md', 0,
	'{"kind":"file","size":2,"sum":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","mode":420}', '{"kind":""}',
	X'8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4', 'begun', '');
INSERT INTO image VALUES (X'8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4', 5, 2, 2, X'6869');
UPDATE sqlite_sequence SET seq = 5 WHERE name = 'change';

INSERT INTO contact VALUES (19675, 'ollama', '127.0.0.1:11434', '127.0.0.1', 1700000000000, 1700000003000, 2, 900, 45000, 0, '');

INSERT INTO audit VALUES (1, 0, 1700000003250, 'cli', 'cli', 0, '', 'ann', 'cli', 'read_file', 'built-in',
	'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 3, 'ok', '', '', 0, '',
	'', 'c2c96c3fa8aa0c4b7bf505b448b13939f0a5d935f75e1ffbc34994435647325c');
INSERT INTO audit VALUES (2, 0, 1700000003500, 'main', 'main/1', 1, 'c1', 'ann', 'cli', 'write_file', 'built-in',
	'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 12, 'denied', 'not allowed: Grüße', 'ask-outside', 812, '["quotes"]',
	'c2c96c3fa8aa0c4b7bf505b448b13939f0a5d935f75e1ffbc34994435647325c', 'd31b9c2745d538376f76e80eeaaec1e0403f02a1ef1259877ceb2a3bf23fa628');

INSERT INTO granted VALUES (1, 1700000003100, 'ann', 'fetch', 'example.org', '', NULL);
INSERT INTO granted VALUES (2, 1700000003200, 'ann', 'write_file', '', '/home/ann/notes', 1700000003300);
UPDATE sqlite_sequence SET seq = 3 WHERE name = 'granted';

INSERT INTO origin VALUES (X'2f686f6d652f616e6e2f706167652eff', 1, 0, 'web:example.org');

INSERT INTO request VALUES (5, 1700000003400, 'main', 'r1', 'aa', '{"ok":true}');

CREATE TRIGGER turn_joins AFTER INSERT ON event WHEN new.type = 'joined' BEGIN
	DELETE FROM open_turn WHERE turn = json_extract(new.body, '$.said');
END;

CREATE TABLE person (
	platform TEXT    NOT NULL CHECK (platform <> ''),
	id       INTEGER NOT NULL,
	name     TEXT    NOT NULL,
	level    TEXT    NOT NULL,
	since    INTEGER NOT NULL,
	by       TEXT    NOT NULL,
	PRIMARY KEY (platform, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE invite (
	platform TEXT    PRIMARY KEY, -- one is in force at a time
	level    TEXT    NOT NULL,
	expires  INTEGER NOT NULL,
	tries    INTEGER NOT NULL,
	sum      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE arrival (
	n        INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they came: their ids need not rise
	time     INTEGER NOT NULL,
	platform TEXT    NOT NULL CHECK (platform <> ''),
	bot      INTEGER NOT NULL, -- that it came to; 0: it is from before bots were told apart
	id       INTEGER NOT NULL,
	hash     TEXT    NOT NULL, -- of its JSON; '': likewise
	state    TEXT    NOT NULL,
	raw      TEXT, -- JSON; NULL once it was dealt with
	UNIQUE (platform, bot, id, hash)
) STRICT;

CREATE INDEX arrival_undone ON arrival (platform, n) WHERE state <> 'done';
CREATE INDEX arrival_by_time ON arrival (time);

CREATE TABLE send (
	chat    TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	part    INTEGER NOT NULL,
	time    INTEGER NOT NULL,
	state   TEXT    NOT NULL,
	tries   INTEGER NOT NULL,
	message INTEGER NOT NULL, -- 0 while it is not known
	PRIMARY KEY (chat, seq, part)
) STRICT, WITHOUT ROWID;

CREATE INDEX send_by_message ON send (chat, message) WHERE message <> 0;
CREATE INDEX send_by_time ON send (time);

INSERT INTO person VALUES ('telegram', -1001234567890, 'Family', 'user', 1700000003600, 'owner');
INSERT INTO person VALUES ('telegram', 4711, 'Ann', 'owner', 1700000003600, 'invite');
INSERT INTO invite VALUES ('telegram', 'user', 1700000003700, 4, 'aa');
INSERT INTO arrival VALUES (1, 1700000003800, 'telegram', 4242, 900, '5e2bf57d3f40c4b6df69daf1936cb766', 'done', NULL);
INSERT INTO arrival VALUES (2, 1700000003800, 'telegram', 0, 901, '', 'new', '{"update_id":901}');
INSERT INTO send VALUES ('telegram/1', 3, 0, 1700000003900, 'sent', 1, 77);

CREATE TABLE campaign (
	id      TEXT    PRIMARY KEY CHECK (id <> ''),
	title   TEXT    NOT NULL,
	made    INTEGER NOT NULL,
	played  INTEGER NOT NULL, -- last
	cache   BLOB -- a snapshot of it: what is read faster than its entries, and may be gone
) STRICT;

CREATE TABLE entry (
	campaign TEXT    NOT NULL REFERENCES campaign (id),
	n        INTEGER NOT NULL, -- 0, 1, 2 ... without a hole
	line     BLOB    NOT NULL,
	PRIMARY KEY (campaign, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry_request (
	campaign TEXT    NOT NULL,
	request  TEXT    NOT NULL CHECK (request <> ''),
	n        INTEGER NOT NULL,
	PRIMARY KEY (campaign, request),
	FOREIGN KEY (campaign, n) REFERENCES entry (campaign, n)
) STRICT, WITHOUT ROWID;

INSERT INTO campaign VALUES ('mill', 'The Mill', 1700000004000, 1700000004100, NULL);
INSERT INTO entry VALUES ('mill', 0, x'7b7d');
INSERT INTO entry VALUES ('mill', 1, x'7b7d');
INSERT INTO entry_request VALUES ('mill', 'r1', 1);

CREATE TABLE shown (
	chat    TEXT    NOT NULL CHECK (chat <> ''),
	name    TEXT    NOT NULL CHECK (name <> ''), -- of what is shown, such as a map
	message INTEGER NOT NULL CHECK (message <> 0), -- of the platform, in which it is
	PRIMARY KEY (chat, name)
) STRICT, WITHOUT ROWID;

INSERT INTO shown VALUES ('telegram/1', 'map', 12);

CREATE TABLE reminder (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name it by this
	state   TEXT    NOT NULL CHECK (state <> ''),
	due     INTEGER, -- Unix time in milliseconds at which it is told next; NULL: not again
	chat    TEXT    NOT NULL CHECK (chat <> ''),
	person  TEXT    NOT NULL, -- whom it is for, as PLATFORM/ID
	author  TEXT    NOT NULL, -- who asked for it, likewise
	body    TEXT    NOT NULL  -- JSON of all of it
) STRICT;

CREATE INDEX reminder_due ON reminder (due, id) WHERE due IS NOT NULL AND state = 'open';
CREATE INDEX reminder_open ON reminder (person, state);

CREATE TABLE consent ( -- whether a person may be reminded by another
	person  TEXT    NOT NULL CHECK (person <> ''),
	author  TEXT    NOT NULL CHECK (author <> ''),
	answer  TEXT    NOT NULL, -- 'yes', 'no' or 'mute'
	time    INTEGER NOT NULL,
	PRIMARY KEY (person, author)
) STRICT, WITHOUT ROWID;

INSERT INTO reminder VALUES (3, 'open', 1700000600000, 'telegram/1', 'telegram/1', 'cli/',
	'{"id":3,"chat":"telegram/1","state":"open","when":{"start":"2023-11-14T23:23:20","zone":"Europe/Berlin"},"text":"tea","by":{"platform":"cli"},"for":{"platform":"telegram","id":"1"},"due":"2023-11-14T22:23:20Z"}');
INSERT INTO consent VALUES ('telegram/1', 'cli/', 'yes', 1700000004000);

CREATE TABLE fact ( -- what hob is to know
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- people name it by this
	subject TEXT    NOT NULL CHECK (subject <> ''), -- what it is about
	state   TEXT    NOT NULL CHECK (state IN ('kept', 'waiting')),
	key     TEXT    NOT NULL, -- '': it has none
	body    TEXT    NOT NULL  -- JSON of all of it
) STRICT;

CREATE INDEX fact_subject ON fact (subject, state, key);

-- What a fact is found by: its words and their stems, as the code writes them.
CREATE VIRTUAL TABLE fact_terms USING fts5 (terms, content = '', contentless_delete = 1,
	tokenize = 'unicode61 remove_diacritics 2');

CREATE INDEX change_path ON change (path);

INSERT INTO fact VALUES (4, 'person/owner', 'kept', 'name', '{"id":4,"subject":"person/owner","state":"kept","key":"name","text":"my name is Anna","terms":"anna name"}');
INSERT INTO fact_terms (rowid, terms) VALUES (4, 'anna name');

-- What an event is found by: the words of its text and their stems, as the code writes them, and its chat. A row has the seq of its
-- event. An index is made of a journal when it is first searched: see [Texts].
CREATE VIRTUAL TABLE event_terms USING fts5 (terms, content = '', contentless_delete = 1,
	tokenize = 'unicode61 remove_diacritics 2');

INSERT INTO event_terms (rowid, terms) VALUES (1, 'grusse xchat6d61696e');

PRAGMA user_version = 12;
