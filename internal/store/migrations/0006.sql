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
