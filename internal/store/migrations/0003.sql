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
