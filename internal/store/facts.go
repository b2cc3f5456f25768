package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"hob/internal/event"
)

// Facts stores what hob remembers: table fact, and fact_terms for searches. Every change is in the
// log of changes, so that it can be undone. It is safe for concurrent use.
type Facts struct {
	db      *DB
	changes *Changes
}

// Facts returns the store of facts.
func (d *DB) Facts() *Facts { return &Facts{d, d.Changes(Limits{})} }

// Edit stores and removes facts, all or none, durably when it returns. A fact without a number is
// new. It returns the stored facts, with their numbers, and the numbers of the changes, one for
// each fact that changed; these are undone together.
func (s *Facts) Edit(ctx context.Context, cause event.Cause, keep []event.Fact, remove ...int64) (kept []event.Fact, changes []int64, err error) {
	err = s.db.transact(ctx, func(tx transaction) error {
		edit := func(id int64, content []byte) (int64, error) {
			key, made, err := s.changes.editRow(ctx, tx, "fact", strconv.FormatInt(id, 10), content, cause)
			if err != nil {
				return 0, err
			}
			if made.ID != 0 {
				changes = append(changes, made.ID)
				cause.Part = changes[0]
			}
			return strconv.ParseInt(key, 10, 64)
		}
		for _, id := range remove {
			if _, err := edit(id, nil); err != nil {
				return err
			}
		}
		for _, f := range keep {
			content, err := json.Marshal(f)
			if err == nil {
				f.ID, err = edit(f.ID, content)
			}
			if err != nil {
				return err
			}
			kept = append(kept, f)
		}
		return nil
	})
	if err != nil {
		return nil, nil, wrap("keep facts in", s.db.path, err)
	}
	return kept, changes, nil
}

func whatFact(f event.Fact) string { return f.Text }

func readFact(ctx context.Context, from querier, id int64) ([]byte, error) {
	return value[[]byte](ctx, from, `SELECT body FROM fact WHERE id = ?`, id)
}

func writeFact(ctx context.Context, tx transaction, id int64, content []byte) (int64, error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM fact_terms WHERE rowid = ?`, id); err != nil {
		return 0, err
	}
	if content == nil {
		_, err := tx.ExecContext(ctx, `DELETE FROM fact WHERE id = ?`, id)
		return id, err
	}
	var f event.Fact
	if err := json.Unmarshal(content, &f); err != nil {
		return 0, err
	}
	if f.Subject == "" || strings.TrimSpace(f.Text) == "" {
		return 0, errors.New("a fact needs a subject and a text")
	}
	if id == 0 {
		var err error
		id, err = lastInsertID(tx.ExecContext(ctx, `INSERT INTO fact (subject, state, key, body) VALUES (?, ?, ?, '{}')`,
			string(f.Subject), string(f.State), f.Key))
		if err != nil {
			return 0, err
		}
		f.ID = id
		if content, err = json.Marshal(f); err != nil {
			return 0, err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO fact (id, subject, state, key, body) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (id) DO UPDATE SET subject = ?2, state = ?3, key = ?4, body = ?5`,
		id, string(f.Subject), string(f.State), f.Key, string(content))
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO fact_terms (rowid, terms) VALUES (?, ?)`, id, f.Terms)
	}
	return id, err
}

func scanFact(scan scanner) (f event.Fact, err error) {
	var body string
	if err := scan(&body); err != nil {
		return f, err
	}
	return f, json.Unmarshal([]byte(body), &f)
}

// Fact returns the fact with that number; known is false if there is none.
func (s *Facts) Fact(ctx context.Context, id int64) (f event.Fact, known bool, err error) {
	f, known, err = find(ctx, s.db.read, scanFact, `SELECT body FROM fact WHERE id = ?`, id)
	return f, known, wrap("read a fact in", s.db.path, err)
}

// Facts returns the facts in a state about some subjects, oldest first; no subjects are all.
func (s *Facts) Facts(ctx context.Context, state event.FactState, subjects ...event.Subject) ([]event.Fact, error) {
	where, args := onSubjects(subjects)
	all, err := collect(ctx, s.db.read, scanFact, `SELECT body FROM fact WHERE state = ?`+where+` ORDER BY id`,
		append([]any{string(state)}, args...)...)
	return all, wrap("read the facts in", s.db.path, err)
}

// Keyed returns the known facts about a subject with that key, oldest first.
func (s *Facts) Keyed(ctx context.Context, subject event.Subject, key string) ([]event.Fact, error) {
	all, err := collect(ctx, s.db.read, scanFact, `SELECT body FROM fact WHERE subject = ? AND state = 'kept' AND key = ? ORDER BY id`,
		string(subject), key)
	return all, wrap("read the facts in", s.db.path, err)
}

// Known reports whether any fact about one of the subjects is known.
func (s *Facts) Known(ctx context.Context, subjects ...event.Subject) (bool, error) {
	where, args := onSubjects(subjects)
	known, err := value[bool](ctx, s.db.read, `SELECT EXISTS (SELECT 1 FROM fact WHERE state = 'kept'`+where+`)`, args...)
	return known, wrap("read the facts in", s.db.path, err)
}

// onSubjects returns the condition of a query for facts about one of the subjects; none is any.
func onSubjects(subjects []event.Subject) (where string, args []any) {
	if len(subjects) == 0 {
		return "", nil
	}
	for _, subject := range subjects {
		args = append(args, string(subject))
	}
	return ` AND subject IN (?` + strings.Repeat(", ?", len(subjects)-1) + `)`, args
}

// Holding returns the numbers of the newest known facts about one of the subjects that contain all
// words, at most limit. A word is a list of terms, of which a fact needs one. A term with a * at
// its end matches every term that begins with it.
func (s *Facts) Holding(ctx context.Context, subjects []event.Subject, words [][]string, limit int) ([]int64, error) {
	if len(words) == 0 || len(subjects) == 0 {
		return nil, nil
	}
	each := make([]string, len(words))
	for i, terms := range words {
		each[i] = "(" + quoteTerms(terms) + ")"
	}
	where, args := onSubjects(subjects)
	args = append(append([]any{strings.Join(each, " AND ")}, args...), limit)
	found, err := collect(ctx, s.db.read, scanOne[int64], `SELECT id FROM fact_terms JOIN fact ON id = fact_terms.rowid
		WHERE fact_terms MATCH ? AND state = 'kept'`+where+` ORDER BY fact_terms.rowid DESC LIMIT ?`, args...)
	return found, wrap("search the facts in", s.db.path, err)
}

// quoteTerms returns the terms of a word as an FTS5 query, quoted so that none acts as an operator.
func quoteTerms(terms []string) string {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		term, isPrefix := strings.CutSuffix(term, "*")
		if quoted[i] = `"` + strings.ReplaceAll(term, `"`, `""`) + `"`; isPrefix {
			quoted[i] += "*"
		}
	}
	return strings.Join(quoted, " OR ")
}

// ByNumber returns the existing facts with these numbers, in no order.
func (s *Facts) ByNumber(ctx context.Context, ids []int64) ([]event.Fact, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	all, err := collect(ctx, s.db.read, scanFact, `SELECT body FROM fact WHERE id IN (?`+strings.Repeat(", ?", len(ids)-1)+`)`, args...)
	return all, wrap("read the facts in", s.db.path, err)
}

// History returns the changes of a fact, newest first, as far as they are stored.
func (s *Facts) History(ctx context.Context, id int64) ([]FactChange, error) {
	all, err := s.changes.of(ctx, event.Fact{ID: id}.Name())
	if err != nil {
		return nil, err
	}
	var list []FactChange
	for _, c := range all {
		one := FactChange{Change: c}
		if c.Before.HasContent() && !c.Lost {
			raw, err := s.changes.Image(ctx, c.Before.Sum)
			if err == nil {
				err = json.Unmarshal(raw, &one.Was)
			}
			if err != nil {
				return nil, wrap("read a fact in", s.db.path, err)
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// FactChange is a change of a fact.
type FactChange struct {
	event.Change
	Was event.Fact // before the change; zero if there was none, or if it is no longer stored
}
