package page

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// How long it takes from a piece of a reply to what people see, and from an address to the first of the page. Nothing fails for being
// slow: the figures are printed.
func TestFigures(t *testing.T) {
	notShort(t)
	m := newModel()
	h := newHouse(t, "", m.steps())
	t.Cleanup(m.end)
	b := h.signIn()
	b.say("recite")
	<-m.reciter
	b.until(`document.body.dataset.running === "true"`)
	look[bool](b, `(globalThis.painted = {}, new MutationObserver(() => requestAnimationFrame(() => {
		const n = document.querySelector("#draft").textContent.match(/sentence (\d+)[^\d]*$/)?.[1];
		if (n) globalThis.painted[n] ??= performance.timeOrigin + performance.now();
	})).observe(document.querySelector("#draft"), { childList: true, subtree: true, characterData: true }), true)`)
	var waits []float64
	for i := range 60 {
		at := float64(time.Now().UnixMicro()) / 1000
		m.pieces <- fmt.Sprintf("This is sentence %02d of the reply. ", i)
		b.until(fmt.Sprintf(`globalThis.painted["%02d"]`, i))
		waits = append(waits, look[float64](b, fmt.Sprintf(`globalThis.painted["%02d"]`, i))-at)
	}
	close(m.pieces)
	b.until(`document.body.dataset.running === "false"`)
	slices.Sort(waits)
	fmt.Printf("figure: page: a piece of a reply to its paint: %.0f ms at the median, %.0f ms at the 95th percentile of %d\n",
		waits[len(waits)/2], waits[len(waits)*95/100], len(waits))

	slow := h.newTab(nil)
	slow.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		// What took its place by rules wants other parameters from one Chromium to the next.
		limit := cdp.Command[network.OverrideNetworkStateParams, cdp.Empty]{Method: "Network.emulateNetworkConditions"}
		if _, err = cdp.Call(ctx, target, limit, network.OverrideNetworkStateParams{
			Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 0.75e6 / 8}); err == nil {
			_, err = cdp.Call(ctx, target, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		}
		return none, err
	})
	slow.open(link.FindString(h.hob("page")))
	slow.press("#sign-in button")
	slow.live()
	var paints, lives, sizes []float64
	for range 5 {
		slow.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
			_, err = cdp.Call(ctx, target, network.ClearBrowserCache, cdp.Empty{})
			return none, err
		})
		slow.visit("chat")
		slow.until(`performance.getEntriesByName("first-contentful-paint").length`)
		paints = append(paints, look[float64](slow, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		lives = append(lives, look[float64](slow, `performance.getEntriesByType("mark").find((m) => m.name === "live").startTime`))
		sizes = append(sizes, look[float64](slow, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((n, e) => n + e.encodedBodySize, 0)`))
	}
	for _, all := range [][]float64{paints, lives, sizes} {
		slices.Sort(all)
	}
	fmt.Printf("figure: page: first paint at 1.6 Mbit/s, 150 ms, a processor a quarter as fast: %.0f ms, live after %.0f ms, %.1f kB\n",
		paints[len(paints)/2], lives[len(lives)/2], sizes[len(sizes)/2]/1000)
}
