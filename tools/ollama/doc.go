// Package ollama holds no code of its own. The module around it pins the real Ollama server that hob is tested against,
// v0.24.0, the newest whose native engine builds with plain go build, apart from the main module, which pins a later
// client.
//
// Package hob/internal/llm/ollamaserver builds it and says what else is needed to.
package ollama
