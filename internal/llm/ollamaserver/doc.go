// Package ollamaserver builds Ollama's server from its sources, and runs it as a child process.
//
// [Build] compiles the server from the module in tools/ollama. [Find] returns a server that was built before. [Start]
// runs one for a test, with folders of its own; [Local] runs one for hob, with the models of the person who started it.
//
// # On disk
//
//	<user cache>/hob/ollama-v0.24.0-<hash>/ollama       the server, 55 MB
//	<user cache>/hob/ollama-v0.24.0-<hash>.lock         who builds holds an flock on it
//	<user cache>/hob/ollama-v0.24.0-<hash>.building/    a build under way, or one that was interrupted
//
// The hash covers the sources in tools/ollama, the compiler's flags and the platform. The first folder appears with one
// rename, after its files were synced, so whatever is in it is whole. Where there is no user cache, the folder is
// hob-cache-<uid> below the system's folder for temporary files, and is used only when it belongs to this user alone.
// A server that [Start] runs keeps everything, its HOME included, in one temporary folder, which Close removes. Only a
// parent that is killed leaves it behind.
//
// # What callers must not assume
//
// That a server outlives its parent: it and its runners are killed when the process that started them dies, however it
// dies. That this runs anywhere but on Unix.
package ollamaserver
