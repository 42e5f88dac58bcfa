package html

import (
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// A reason leads to its pods, a pod to its node and its reason, and a node back to its pods.
func TestLinksInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "quickstart", scenarios.Options{}))
	eval[any](page, pageFunctions)
	const click = `(async (e) => { e.click(); await new Promise((done) => setTimeout(done, 50)); return null; })`
	eval[any](page, click+`(document.querySelector('#f-pending .legend a'))`)
	is(page, `location.hash`, "#reason-0-0")
	eval[any](page, `(window.pod = document.querySelector('#reason-0-0 a'), null)`)
	eval[any](page, click+`(pod)`)
	is(page, `document.querySelector(location.hash).dataset.name === pod.textContent && document.querySelector(location.hash + ' details').open`, true)
	is(page, `document.querySelector(document.querySelector(location.hash + ' .why a').hash).closest('table').matches('.reasons')`, true)
	// A pod that the first rows do not show, with its node.
	eval[any](page, `(window.pod = [...document.querySelectorAll('#worst tbody.beyond')].find((b) => b.querySelector('a[href^="#node"]')), enter('find-pod', 'no such pod'), null)`)
	eval[any](page, `(async () => { location.hash = pod.id; await new Promise((done) => setTimeout(done, 50)); return null; })()`)
	is(page, `pod.getClientRects().length > 0`, true)
	eval[any](page, `(window.node = pod.querySelector('a[href^="#node"]'), null)`)
	eval[any](page, click+`(node)`)
	is(page, `$('x-node').querySelector('h3').textContent.startsWith(node.textContent + ' ')`, true)
	is(page, `[...$('x-node').querySelectorAll('tbody a')].some((a) => a.hash === '#' + pod.id && a.textContent === pod.dataset.name)`, true)
}

// Heat maps and the map of nodes are by the grouping that is chosen.
func TestGroupingInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "heterogeneous", scenarios.Options{}))
	eval[any](page, pageFunctions)
	const choose = `(async (name) => { enter('h-by', name, 'change'); while (document.body.dataset.by !== name) await new Promise((done) => setTimeout(done, 10)); return null; })`
	const rows = `[...document.querySelector('.heat').tBodies[0].rows].map((row) => [row.cells[0].textContent, row.querySelector('svg').getAttribute('aria-label'), row.querySelectorAll('path').length, row.cells[2].textContent].join('|')).join('; ')`
	first := eval[string](page, rows)
	eval[any](page, choose+`('zone')`)
	zones := eval[string](page, rows)
	if zones == first {
		t.Errorf("by zone the rows are the same: %s", zones)
	}
	is(page, `document.querySelector('.heat caption').textContent`, "cpu by zone")
	is(page, `$('x-by').textContent`, "Zone")
	is(page, `$('x-group').options.length`, 1+eval[int](page, `document.querySelector('.heat').tBodies[0].rows.length`))
	eval[any](page, choose+`($('h-by').options[0].value)`)
	is(page, rows, first)
}

// The navigation is whole on a telephone.
func TestNavigationInBrowser(t *testing.T) {
	page := open(t, openBrowser(t), play(t, "quickstart", scenarios.Options{}))
	eval[any](page, pageFunctions)
	for _, width := range []int64{320, 400, 640, 900} {
		resize(page, width)
		is(page, `[...document.querySelectorAll('nav a')].filter((a) => { const box = a.getBoundingClientRect(), nav = a.parentElement.getBoundingClientRect(); return box.right > Math.min(innerWidth, nav.right) + 1 || box.bottom > nav.bottom + 1; }).map((a) => a.textContent).join(', ')`, "")
	}
}
