package html

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/berth-sim/berth/scenarios"
)

// resize sets the size of the window.
func resize(tab tab, width int64) {
	tab.Helper()
	if err := chromedp.Do(tab.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
		tab.Fatal(err)
	}
}

// media makes the page look as on a screen or on paper.
func media(tab tab, name string) {
	tab.Helper()
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}); err != nil {
		tab.Fatal(err)
	}
}

// Rows of the map have the names of their pool and zone beside them, as long as they are in that
// order; nodes that are closed to new pods do not look merely empty.
func TestMapInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "quickstart", scenarios.Options{}))
	eval[any](page, pageFunctions)
	const names = `[...$('x-bands').children].map((e) => e.textContent).join('; ')`
	is(page, names, "general / a; general / b; general / c")
	is(page, `Math.abs($('x-bands').lastChild.getBoundingClientRect().bottom - $('x-map').getBoundingClientRect().bottom) < 2`, true)
	eval[any](page, `(enter('x-order', 'name', 'change'), null)`)
	is(page, names, "")
	eval[any](page, `(enter('x-order', 'group', 'change'), null)`)
	// The drain at 45 min closes five nodes, the first of them among those in zone a.
	is(page, `(() => {
		const want = getComputedStyle(document.documentElement).getPropertyValue('--l13').trim(), hex = (p) => '#' + [...p].slice(0, 3).map((v) => v.toString(16).padStart(2, '0')).join('');
		const map = $('x-map'), pixels = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;
		for (let i = 0; i < pixels.length; i += 4) if (hex(pixels.subarray(i, i + 4)) === want) return true;
		return false;
	})()`, true)
}

// The strip of the pods of a node shows the time that the map shows, and says what its colors are.
func TestStripInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "quickstart", scenarios.Options{}))
	eval[any](page, pageFunctions)
	const clocks = `document.querySelector('#x-node .clock').innerText === $('x-clock').innerText`
	eval[any](page, `(enter('x-find', '-0000'), null)`)
	is(page, clocks, true)
	is(page, `[...document.querySelectorAll('#x-node .legend li')].map((e) => e.textContent).join('; ')`,
		"cpu 500m, memory 1.5 GiB; cpu 4 cores, memory 12 GiB; evicted")
	whole := eval[string](page, `document.querySelector('#x-node canvas').toDataURL()`)
	eval[any](page, `($('x-in').click(), null)`)
	is(page, clocks, true)
	is(page, `$('x-clock').firstChild.textContent`, "30 min")
	if eval[string](page, `document.querySelector('#x-node canvas').toDataURL()`) == whole {
		t.Error("the strip shows the same when the map shows less")
	}
}

// On paper nothing is cut off, and the first pods have their stories.
func TestPrintInBrowser(t *testing.T) {
	browser := openBrowser(t)
	for _, names := range [][]string{{"quickstart"}, {"preemption"}, {"quickstart", "preemption"}} {
		t.Run(strings.Join(names, " and "), func(t *testing.T) { tryPrint(t, browser, names) })
	}
}

func tryPrint(t *testing.T, browser context.Context, names []string) {
	const paper = 718 // pixels of A4 between margins of a centimeter
	var dirs []string
	for _, name := range names {
		dirs = append(dirs, play(t, name, scenarios.Options{}))
	}
	page := open(t, browser, dirs...)
	eval[any](page, pageFunctions)
	media(page, "print")
	resize(page, paper)
	is(page, `shown('.scroll, .tall').filter((e) => getComputedStyle(e).overflowX !== 'visible').length`, 0)
	is(page, `shown('table').filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.caption.textContent).join('; ')`, "")
	is(page, `document.documentElement.scrollWidth`, paper)
	is(page, `shown('.story').length`, 10)
	media(page, "")
	resize(page, 1280)
}

// No label of the lower axis of a chart is over one of the left axis.
func TestLabelsInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "quickstart", scenarios.Options{}))
	eval[any](page, pageFunctions)
	for _, width := range []int64{1280, 400} {
		resize(page, width)
		is(page, `shown('.plot svg').length > 8`, true)
		is(page, `shown('.plot svg').filter((svg) => {
			const boxes = (anchor) => [...svg.querySelectorAll('.t.' + anchor)].map((e) => e.getBoundingClientRect());
			return boxes('m').some((a) => boxes('e').some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
		}).map((svg) => svg.querySelector('title').textContent).join('; ')`, "")
	}
}
