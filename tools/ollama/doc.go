// Package ollama holds no code of its own. The module around it pins the real Ollama server that hob is tested against,
// v0.24.0, the newest whose native engine builds with plain go build, apart from the main module, which pins a later
// client. Command automaton, below this folder, writes the hand-made model that the server then runs.
//
// Package hob/internal/llm/ollamatest builds both and says what else is needed to.
package ollama
