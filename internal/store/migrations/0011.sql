-- What an event is found by: the words of its text and their stems, as the code writes them, and its chat. A row has the seq of its
-- event. An index is made of a journal when it is first searched: see [Texts].
CREATE VIRTUAL TABLE event_terms USING fts5 (terms, content = '', contentless_delete = 1,
	tokenize = 'unicode61 remove_diacritics 2');
