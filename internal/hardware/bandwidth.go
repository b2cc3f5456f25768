package hardware

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	measureTime  = 300 * time.Millisecond
	measureBytes = 256 << 20 // read in turns: more than the caches of a home's machine hold
	maxCores     = 16        // more do not read faster: the memory is what they wait for
	chunkWords   = 1 << 17   // 1 MiB, between two looks at the clock
)

// Bandwidth is how fast memory was read.
type Bandwidth struct {
	BytesPerSecond float64 `json:"bytes_per_second"`
	Cores          int     `json:"cores"` // that read at the same time
}

// Bandwidth reads memory for 0.3 seconds, with as many cores as this process may use
// ([runtime.GOMAXPROCS]) but at most 16, after it has written it once. It takes an eighth of the free
// bytes, and at most 256 MiB. It is plain Go: a model's own code may read a little faster, and few cores
// may not ask for all that the memory could give. The error is the cause of ctx.
func (p Probe) Bandwidth(ctx context.Context, cores int, free uint64) (Bandwidth, error) {
	cores = min(max(cores, 1), maxCores)
	words := max(int(min(measureBytes, free/8))/8/cores, chunkWords)
	var ready, done sync.WaitGroup
	var read, sum atomic.Uint64
	var end time.Time
	start := make(chan struct{})
	for range cores {
		ready.Add(1)
		done.Go(func() {
			block := make([]uint64, words)
			for i := range block {
				block[i] = uint64(i) // or all pages are one page of zeros
			}
			ready.Done()
			<-start
			count, total := p.readUntil(ctx, block, end)
			read.Add(count)
			sum.Add(total)
		})
	}
	ready.Wait()
	began := p.Now()
	end = began.Add(measureTime)
	close(start)
	done.Wait()
	took := p.Now().Sub(began)
	if ctx.Err() != nil {
		return Bandwidth{}, context.Cause(ctx)
	}
	if took <= 0 || sum.Load() == 0 { // the sum is used, so that no compiler leaves the reading out
		return Bandwidth{}, nil
	}
	return Bandwidth{BytesPerSecond: float64(read.Load()) / took.Seconds(), Cores: cores}, nil
}

// readUntil reads block again and again, and returns the bytes that it read and a sum of them.
func (p Probe) readUntil(ctx context.Context, block []uint64, end time.Time) (read, sum uint64) {
	for at := 0; ctx.Err() == nil; {
		chunk := block[at:min(at+chunkWords, len(block))]
		sum += sumOf(chunk)
		read += uint64(8 * len(chunk))
		if at += len(chunk); at == len(block) {
			at = 0
		}
		if !p.Now().Before(end) {
			break
		}
	}
	return read, sum
}

// sumOf adds eight words at a time, so that the sums do not wait for each other.
func sumOf(words []uint64) uint64 {
	var a, b, c, d, e, f, g, h uint64
	for ; len(words) >= 8; words = words[8:] {
		w := (*[8]uint64)(words)
		a, b, c, d = a+w[0], b+w[1], c+w[2], d+w[3]
		e, f, g, h = e+w[4], f+w[5], g+w[6], h+w[7]
	}
	for _, w := range words {
		a += w
	}
	return a + b + c + d + e + f + g + h
}
