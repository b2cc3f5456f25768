package world

// Merge returns events with one for each record: as it was before the first and as it is after the last of them, in the order in
// which records were first touched. What is in the end as it was is left out.
func Merge(events []Event) []Event {
	at := make(map[subject]int, len(events))
	merged := make([]Event, 0, len(events))
	for _, e := range events {
		kind, key := e.Subject()
		s := subject{kind: kind, key: key}
		if i, ok := at[s]; ok {
			merged[i].New = e.New
			continue
		}
		at[s] = len(merged)
		merged = append(merged, e)
	}
	kept := merged[:0]
	for _, e := range merged {
		if e.Old == nil && e.New == nil || e.Old != nil && e.New != nil && equal(e.Old, e.New) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}
