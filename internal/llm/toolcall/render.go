package toolcall

import "hob/internal/llm"

// Render returns req as it is put to a model that is asked in another mode than natively.
func Render(req llm.Request, mode llm.Mode) llm.Request { return req }
