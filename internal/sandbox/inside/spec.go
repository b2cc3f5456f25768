package inside

// Name is argv[1] of the helper. The helper is this very program; what it is to do it reads from file descriptor 3, so
// that /proc/PID/cmdline shows nothing of it.
const Name = "__sandbox"

// SocketFD is the helper's end of a SOCK_SEQPACKET pair: one [Spec] comes in, [Message]s go out, and a second packet
// that is no order to freeze or to thaw means that everything must end at once. The other end closing means the same.
const SocketFD = 3

// Tier is how a command is walled in. There is no zero tier.
type Tier int

// The tiers, strongest first.
const (
	T1 Tier = iota + 1 // own namespaces, a curated root, Landlock and seccomp; the helper is pid 1
	T2                 // the same, but bwrap makes the namespaces and the root, and the helper inside does the rest
	T3                 // Landlock, and seccomp that refuses sockets of any kind; the helper is a subreaper
	T4                 // nothing: only where the owner allows it. No helper.
)

// Spec is all that a helper gets to know. It travels as JSON, whole, in one packet.
type Spec struct {
	Tier      Tier     `json:"tier"`
	Workspace string   `json:"workspace"` // absolute, without links; all that can be written besides /tmp and /dev/shm, or in T3 the folder that TMPDIR names
	ReadOnly  bool     `json:"read_only,omitempty"`
	Protect   []string `json:"protect,omitempty"` // absolute paths in the workspace that exist and cannot be changed; not enforced in T3
	Read      []string `json:"read,omitempty"`    // further absolute paths that can be read, at the same place
	Copies    []Copy   `json:"copies,omitempty"`  // files of the workspace in whose place copies are shown; none in T3
	Program   string   `json:"program,omitempty"` // absolute path of this program's file, when the command is this program itself: shown as [ProgramPath]
	Network   bool     `json:"network,omitempty"` // a listener on 127.0.0.1:ProxyPort is made and handed out

	Args []string `json:"args"` // Args[0] is looked up in the PATH of Env, inside; this program is [ProgramPath], see [ProgramArgs]
	Env  []string `json:"env"`  // all of it; in T3 TMPDIR is set to another folder
	Dir  string   `json:"dir"`  // the working folder

	Processes int   `json:"processes"` // limits; none is 0
	Memory    int64 `json:"memory"`    // bytes: of one process's data, and of all resident together
	FileSize  int64 `json:"file_size"`
	OpenFiles int   `json:"open_files"`
	Group     bool  `json:"group,omitempty"` // a cgroup bounds memory: memfd and shared memory are then counted and allowed
}

// Copy is a file in whose place the command sees other bytes, which nobody can change: those of a descriptor that the helper
// was started with.
type Copy struct {
	Path string `json:"path"` // absolute, in the workspace, without links; it exists
	FD   int    `json:"fd"`   // what is read of it begins at its offset
	Mode uint32 `json:"mode"` // the permissions of the copy
}

// The orders that a helper takes after its [Spec], one packet each, with a blank and anything behind. Every other
// packet means that all must end.
const (
	OrderFreeze = "freeze" // stop all that runs in here; answered by [Message].Frozen
	OrderThaw   = "thaw"   // let it go on
)

// ProgramPath is where this program is found inside when [Spec].Program is set: in T3, which has no root of its own,
// it is Spec.Program itself.
const ProgramPath = "/run/hob"

// programName is argv[1] of a program of this program's own; see [ProgramArgs].
const programName = "__program"

// ProgramArgs is what Spec.Args is for a program of [Enter]'s when Spec.Program is set.
func ProgramArgs(name string, args ...string) []string {
	return append([]string{ProgramPath, programName, name}, args...)
}

// ProxyPort is the port on loopback on which commands find the proxy when the network is on.
const ProxyPort = 3128

// Message is what a helper says, as JSON, one packet each: first Ready or Error, and after Ready one Ended,
// with a Frozen for each order before it.
type Message struct {
	// Ready: the walls stand and the command is about to start. With Spec.Network the packet carries the listener
	// (SCM_RIGHTS).
	Ready   bool `json:"ready,omitempty"`
	Ruleset int  `json:"ruleset,omitempty"` // the Landlock ABI in force

	// Unprotected comes with Ready: this tier could not keep Spec.Protect from being written.
	Unprotected bool `json:"unprotected,omitempty"`

	// Error: the walls could not be built; nothing was run. Stage is the step, such as "mount" or "landlock".
	Error string `json:"error,omitempty"`
	Stage string `json:"stage,omitempty"`

	// Frozen answers an [OrderFreeze], which is Order: whether all is stopped. If not, all goes on.
	Frozen *bool  `json:"frozen,omitempty"`
	Order  string `json:"order,omitempty"`

	Ended *Ended `json:"ended,omitempty"`
}

// Ended is how a command ended. When it is sent, nothing that the command started is running.
type Ended struct {
	Exit   int    `json:"exit"`             // -1 when a signal ended it; 127 when the program was not found, 126 when it could not be run
	Signal int    `json:"signal,omitempty"` // its number
	Error  string `json:"error,omitempty"`  // why the program could not be started
	Left   int    `json:"left,omitempty"`   // processes that were still running and were killed
	Over   string `json:"over,omitempty"`   // the limit for which everything was killed: "memory" or "processes"; or [OverReplaced]
}

// OverReplaced is why a command was killed when another file was put in the place of one of its [Spec].Copies: the kernel takes
// a mount away when somebody in another mount namespace does that.
const OverReplaced = "replaced"
