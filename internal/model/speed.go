package model

import (
	"context"

	"hob/internal/llm"
)

// A reply of fewer tokens says little about the speed of the model.
const minEvalTokens = 8

// speedFade is what the speed so far counts for when a reply comes: about the last three decide.
const speedFade = 0.7

// speedKey is the setting that holds how many tokens a second a model wrote.
func speedKey(model string) string { return "speed/" + llm.FullName(model) }

// learnSpeed measures the model by a reply. The first measurement of a model is stored at once, for those
// who ask while this process goes on.
func (e *Model) learnSpeed(ctx context.Context, u llm.Usage) {
	if u.EvalTokens < minEvalTokens || u.Eval <= 0 {
		return
	}
	rate := float64(u.EvalTokens) / u.Eval.Seconds()
	e.mu.Lock()
	first := e.speed == 0
	if !first {
		rate = speedFade*e.speed + (1-speedFade)*rate
	}
	e.speed = rate
	e.mu.Unlock()
	if first {
		_ = e.Save(context.WithoutCancel(ctx)) // the end of the process tries again
	}
}

// readSpeeds returns how many tokens a second the models wrote of late, as far as they were measured. A
// journal that cannot be read has no measurements.
func (e *Model) readSpeeds(ctx context.Context, names []string) map[string]float64 {
	speeds := map[string]float64{}
	read := func(kv KV) {
		for _, name := range names {
			if speed := readNumber(ctx, kv, speedKey(name)); speed > 0 {
				speeds[name] = speed
			}
		}
	}
	e.mu.Lock()
	kv := e.kv
	e.mu.Unlock()
	switch {
	case kv != nil:
		read(kv)
	case e.cfg.Stored != nil:
		_ = e.cfg.Stored(ctx, read)
	}
	return speeds
}
