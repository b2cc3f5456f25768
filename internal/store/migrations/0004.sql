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

-- Results that are in the journal already have no records.
INSERT INTO setting (key, value)
	SELECT 'audit/begin', CAST(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0) AS TEXT);

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

INSERT INTO revision VALUES (0);

CREATE TRIGGER granted_comes   AFTER INSERT ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER granted_changes AFTER UPDATE ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER granted_goes    AFTER DELETE ON granted BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_comes   AFTER INSERT ON setting BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_changes AFTER UPDATE ON setting BEGIN UPDATE revision SET n = n + 1; END;
CREATE TRIGGER setting_goes    AFTER DELETE ON setting BEGIN UPDATE revision SET n = n + 1; END;
