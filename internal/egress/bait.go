package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// canaryVariable names the descriptor of the canary to a program that started itself again.
const canaryVariable = "HOB_CANARY"

// proxyVariables name a proxy for everything, in capitals or not, as most programs read them.
func proxyVariables() []string {
	return []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}
}

// RestartWithCanary returns a canary that has been the proxy of this process for everything since the process began. Setting the
// variables later would not do: net/http reads them once, and a package may have asked for them before main.
//
// So the first call does not return but starts this program again in its own place, with the same arguments, streams and
// process ID. What is open, or was begun, is lost to it: call it before anything else. The second call, in the program
// that was started again, returns the canary, or an error where believing the environment would not lead to it.
func RestartWithCanary(ctx context.Context) (*Canary, error) {
	descriptor := os.Getenv(canaryVariable)
	if descriptor == "" {
		return nil, fmt.Errorf("start again with a canary for a proxy: %w", startAgain(ctx))
	}
	if err := os.Unsetenv(canaryVariable); err != nil {
		return nil, err
	}
	l, err := inherited(descriptor)
	if err != nil {
		return nil, fmt.Errorf("take over the canary: %w: unset %s, which is not for people", err, canaryVariable)
	}
	c := newCanary(l, "")
	if err := c.checkEnvironment(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// startAgain becomes this program anew. It returns only an error.
func startAgain(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("a listener for TCP is a %T", l)
	}
	file, err := tcp.File()
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := unix.FcntlInt(file.Fd(), unix.F_SETFD, 0); err != nil { // it stays open over what follows
		return err
	}
	env := withProxy(os.Environ(), "http://"+l.Addr().String())
	env = append(env, canaryVariable+"="+strconv.Itoa(int(file.Fd())))
	return syscall.Exec("/proc/self/exe", os.Args, env) // os.Executable is another program after an update
}

// withProxy returns an environment in which proxy is the proxy for everything, without exceptions.
func withProxy(env []string, proxy string) []string {
	dropped := append(proxyVariables(), "NO_PROXY", "REQUEST_METHOD") // with the last, HTTP_PROXY is not believed: it may be a stranger's header
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(dropped, strings.ToUpper(name))
	})
	for _, name := range proxyVariables() {
		env = append(env, name+"="+proxy)
	}
	return env
}

// inherited is the listener at a descriptor that this program left to itself.
func inherited(descriptor string) (net.Listener, error) {
	n, err := strconv.ParseUint(descriptor, 10, 16)
	if err != nil || n <= 2 {
		return nil, fmt.Errorf("%q is no descriptor of a canary", descriptor)
	}
	file := os.NewFile(uintptr(n), "canary")
	defer file.Close()
	return net.FileListener(file)
}

// checkEnvironment returns an error unless this process has had the canary for its proxy all the time. Without that nothing is
// proven by nobody coming.
func (c *Canary) checkEnvironment() error {
	want := "http://" + c.Addr()
	for _, name := range proxyVariables() {
		if os.Getenv(name) != want {
			return fmt.Errorf("%s is not the canary, so nothing can be proven: unset %s, which is not for people", name, canaryVariable)
		}
	}
	for _, scheme := range []string{"http", "https"} {
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: "192.0.2.1"}})
		if err != nil {
			return fmt.Errorf("look whether the environment leads to the canary: %w", err)
		}
		if proxy == nil || proxy.String() != want {
			return fmt.Errorf("who believes the environment goes to %v for %s and not to the canary, so nothing can be proven", proxy, scheme)
		}
	}
	return nil
}
