//go:build headers

package ollama

import _ "github.com/gen2brain/malgo" // has miniaudio.h, which the archive of github.com/ollama/ollama leaves out
