// Package system is the skill that tells how the machine is that hob runs on: memory, disks, services and their logs, and the
// time. It only looks, and asks for no rights: what hob's user may not see is said not to be seen, with what the owner can do about it.
//
// Numbers come from /proc, /sys and the kernel; services and logs from systemctl and journalctl, which are run with a fixed
// list of arguments, without a shell, with an empty environment and for a bounded time. A log holds what strangers had
// written into it, such as the names with which they tried to log in.
package system

import (
	"context"
	"io/fs"
	"time"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Config is how the machine is looked at; see [Machine].
type Config struct {
	Proc    fs.FS                                                            // what is in /proc, as far as hob may see it
	Sys     fs.FS                                                            // what is in /sys
	Statfs  func(path string) (Space, error)                                 // of the file system there
	Sysinfo func() (Kernel, error)                                           // where /proc does not tell
	CPUs    int                                                              // that work
	Run     func(ctx context.Context, argv []string) (out string, err error) // see [Run]
	Now     func() time.Time                                                 // in the time zone of the machine
	Zone    func(name string) (*time.Location, error)                        // of the IANA, such as Asia/Tokyo
}

// Space is what a file system has room for.
type Space struct {
	Size, Free, Usable uint64 // bytes; Usable is what is free for everybody
	Files, FreeFiles   uint64 // 0 Files: it does not count them
}

// Kernel is what sysinfo(2) tells.
type Kernel struct {
	Uptime         time.Duration
	Load           [3]float64 // over 1, 5 and 15 minutes
	Memory, Free   uint64     // bytes; caches, which could be freed, are not in Free
	Swap, FreeSwap uint64
}

// New returns the skill, with the tools system_status, service_list, service_log and time.
func New(c Config) skills.Skill {
	m := machine{c}
	home := []string{"private"}
	return skills.Declare(skills.Own("system"), tools.New(tools.Def{
		Name: "system_status", Description: "Show uptime, load, memory, disks and failed services.",
		Capabilities: tools.Reads | tools.Private, Level: event.BotAdmin, Scopes: home,
		Command: "system [about:string]", Examples: []string{"system", "system disk"},
	}, m.status), tools.New(tools.Def{
		Name: "service_list", Description: "List services and their state.",
		Capabilities: tools.Reads | tools.Private, Level: event.BotAdmin, Scopes: home,
		Command: "services [pattern:string]", Examples: []string{"services", "services ssh", "services failed=true"},
	}, m.services), tools.New(tools.Def{
		Name: "service_log", Description: "Read the newest lines of a service's log.",
		Capabilities: tools.Reads | tools.Private | tools.Untrusted, Level: event.BotAdmin, Scopes: home,
		Command: "logs [unit:string] [lines:integer]", Examples: []string{"logs", "logs ssh 50", "logs ssh since=today grep=failed"},
	}, m.log), tools.New(tools.Def{
		Name: "time", Description: "Show the time, or days until a date.",
		Capabilities: tools.Reads | tools.Polls, Scopes: home,
		Command: "time [zone:string]", Examples: []string{"time", "time Asia/Tokyo", "time about=date", "time about=2026-12-24"},
	}, m.time))
}

// machine is what the tools look at.
type machine struct{ Config }
