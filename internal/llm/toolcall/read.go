package toolcall

// Read says what a reply comes to.
func (o *Offer) Read(w Wire) Reading { return Reading{} }
