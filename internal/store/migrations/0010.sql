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
