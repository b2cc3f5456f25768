// Package page tests hob's page in a real browser: each test starts the real `hob serve` on a scripted model, signs in with
// headless Chromium, and does what a person does.
//
//	make test-tools    fetches Chromium, axe-core and the TypeScript compiler, once (see get)
//	make page-test     all of these tests; make test has the essentials, which are those that go test -short runs
//	go test -run NAME -update    accepts what a test found as its golden file, and the pictures in docs/pictures
//
// It is a module of its own, so that hob depends on nothing that drives a browser.
//
// A test waits for what must become true in the page ([tab.until]) and never for a time. Where there is no Chromium the tests
// are skipped; under CI they fail.
package page
