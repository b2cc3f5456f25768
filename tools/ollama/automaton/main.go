// Command automaton writes a model that is a finite automaton: which token it says next depends on the last token alone.
//
//	automaton FILE < automaton.json
//
// FILE becomes a GGUF file of architecture llama, which a real Ollama server loads and runs like any other. What it
// reads is an [automaton]: the vocabulary, and for some of its tokens the one that follows. After every other token the
// model ends its reply.
//
// How the weights do it: every token that has a successor gets a dimension of its own, all the others share dimension 0,
// and an embedding is one-hot. The only block has zero weights, so the residual carries the last token's embedding
// unchanged to the output matrix, whose row of token t has a weight at each dimension that t follows. The root mean
// square norm multiplies the one-hot by the square root of the width, so the successor's logit stands more than a
// hundred above the rest and neither temperature nor a repeat penalty changes what is said.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ollama/ollama/fs/ggml"
)

// automaton is what standard input holds, as JSON.
type automaton struct {
	Name    string      `json:"name"`
	Context uint32      `json:"context"` // the longest num_ctx the model will claim, in tokens
	Tokens  []token     `json:"tokens"`
	End     uint32      `json:"end"`  // the token that ends a reply
	Next    map[int]int `json:"next"` // by token number; at most 1,023 entries
}

// token is one entry of the vocabulary. Type is GGUF's: 1 normal, 2 unknown, 3 control, 4 user-defined, 6 byte.
type token struct {
	Text  string  `json:"text"`
	Type  int32   `json:"type"`
	Score float32 `json:"score"` // of a normal token: the higher, the earlier it is merged
}

const (
	headWidth = 32 // of the one attention head; its weights are zero
	feedWidth = 32 // of the feed-forward layer; its weights are zero
	widest    = 1024
	halfOne   = 0x3c00 // 1 as a half float
	halfTen   = 0x4900 // 10 as a half float
	kindFloat = 0      // ggml's number of 32-bit floats
	kindHalf  = 1      // ggml's number of 16-bit floats
	begin     = 1      // the number of <s>, which starts every prompt
)

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "automaton:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader) error {
	if len(args) != 1 {
		return errors.New("usage: automaton FILE < automaton.json")
	}
	var a automaton
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return fmt.Errorf("read automaton: %w", err)
	}
	if err := a.check(); err != nil {
		return fmt.Errorf("check automaton: %w", err)
	}
	f, err := os.Create(args[0])
	if err != nil {
		return fmt.Errorf("create model file: %w", err)
	}
	if err := ggml.WriteGGUF(f, a.header(), a.tensors()); err != nil {
		f.Close()
		return fmt.Errorf("write model file: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("close model file: %w", err)
	}
	return nil
}

// check refuses what the server would crash on: its vocabulary wants every text once.
func (a automaton) check() error {
	seen := make(map[string]int, len(a.Tokens))
	for i, t := range a.Tokens {
		if j, ok := seen[t.Text]; ok {
			return fmt.Errorf("tokens %d and %d are both %q", j, i, t.Text)
		}
		seen[t.Text] = i
	}
	n := len(a.Tokens)
	if int(a.End) >= n {
		return fmt.Errorf("the end is token %d of %d", a.End, n)
	}
	for from, to := range a.Next {
		if from < 0 || from >= n || to < 0 || to >= n {
			return fmt.Errorf("token %d is followed by %d, of %d", from, to, n)
		}
	}
	if len(a.Next) >= widest {
		return fmt.Errorf("%d tokens have a successor, and %d is the limit", len(a.Next), widest-1)
	}
	return nil
}

// width is the length of an embedding: a dimension for each token with a successor, one for all others, rounded up.
func (a automaton) width() int { return (len(a.Next) + 1 + 31) / 32 * 32 }

func (a automaton) header() ggml.KV {
	texts := make([]string, len(a.Tokens))
	scores := make([]float32, len(a.Tokens))
	types := make([]int32, len(a.Tokens))
	for i, t := range a.Tokens {
		texts[i], scores[i], types[i] = t.Text, t.Score, t.Type
	}
	return ggml.KV{
		"general.architecture":                   "llama",
		"general.file_type":                      uint32(kindHalf),
		"general.name":                           a.Name,
		"llama.block_count":                      uint32(1),
		"llama.context_length":                   a.Context,
		"llama.embedding_length":                 uint32(a.width()),
		"llama.feed_forward_length":              uint32(feedWidth),
		"llama.attention.head_count":             uint32(1),
		"llama.attention.head_count_kv":          uint32(1),
		"llama.attention.key_length":             uint32(headWidth),
		"llama.attention.value_length":           uint32(headWidth),
		"llama.attention.layer_norm_rms_epsilon": float32(1e-5),
		"llama.rope.dimension_count":             uint32(headWidth),
		"llama.vocab_size":                       uint32(len(a.Tokens)),
		"tokenizer.ggml.model":                   "llama",
		"tokenizer.ggml.tokens":                  texts,
		"tokenizer.ggml.scores":                  scores,
		"tokenizer.ggml.token_type":              types,
		"tokenizer.ggml.unknown_token_id":        uint32(0),
		"tokenizer.ggml.bos_token_id":            uint32(begin),
		"tokenizer.ggml.eos_token_id":            a.End,
		"tokenizer.ggml.add_space_prefix":        false,
	}
}

func (a automaton) tensors() []*ggml.Tensor {
	width, words := a.width(), len(a.Tokens)
	dimension := a.dimensions()
	embedding := make([]uint16, words*width)
	output := make([]uint16, words*width)
	output[int(a.End)*width] = halfTen // dimension 0: everything that has no successor
	for i := range a.Tokens {
		d := dimension[i]
		embedding[i*width+d] = halfOne
		if to, ok := a.Next[i]; ok {
			output[to*width+d] = halfTen
		}
	}
	return []*ggml.Tensor{
		half("token_embd.weight", embedding, width, words),
		half("output.weight", output, width, words),
		ones("output_norm.weight", width),
		ones("blk.0.attn_norm.weight", width),
		ones("blk.0.ffn_norm.weight", width),
		zeros("blk.0.attn_q.weight", width, headWidth),
		zeros("blk.0.attn_k.weight", width, headWidth),
		zeros("blk.0.attn_v.weight", width, headWidth),
		zeros("blk.0.attn_output.weight", headWidth, width),
		zeros("blk.0.ffn_gate.weight", width, feedWidth),
		zeros("blk.0.ffn_up.weight", width, feedWidth),
		zeros("blk.0.ffn_down.weight", feedWidth, width),
	}
}

// dimensions gives each token its dimension, in the order of token numbers so that the same automaton makes the same file.
func (a automaton) dimensions() []int {
	ds := make([]int, len(a.Tokens))
	next := 1
	for i := range a.Tokens {
		if _, ok := a.Next[i]; ok {
			ds[i] = next
			next++
		}
	}
	return ds
}

func half(name string, values []uint16, columns, rows int) *ggml.Tensor {
	return tensor(name, kindHalf, values, uint64(columns), uint64(rows))
}

func zeros(name string, columns, rows int) *ggml.Tensor {
	return half(name, make([]uint16, columns*rows), columns, rows)
}

func ones(name string, width int) *ggml.Tensor {
	values := make([]float32, width)
	for i := range values {
		values[i] = 1
	}
	return tensor(name, kindFloat, values, uint64(width))
}

func tensor(name string, kind uint32, values any, shape ...uint64) *ggml.Tensor {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, values); err != nil {
		panic(err) // only values of no fixed size can fail
	}
	return &ggml.Tensor{Name: name, Kind: kind, Shape: shape, WriterTo: &b}
}
