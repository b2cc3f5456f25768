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
	id       INTEGER NOT NULL,
	state    TEXT    NOT NULL,
	raw      TEXT, -- JSON; NULL once it was dealt with
	UNIQUE (platform, id)
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
