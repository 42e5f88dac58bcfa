package html

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
)

// browsers are the names of the browsers that can be driven.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// openBrowser starts a headless browser, or skips the test where there is none.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	at := slices.IndexFunc(browsers, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if at < 0 {
		t.Skipf("there is none of %s: the page is not tried in a browser", strings.Join(browsers, ", "))
	}
	path, err := exec.LookPath(browsers[at])
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath(path))
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// tab is a page that is open in a browser.
type tab struct {
	*testing.T
	ctx context.Context
}

// eval evaluates an expression in the page, and waits where it is a promise.
func eval[T any](tab tab, expression string) T {
	tab.Helper()
	v, err := chromedp.Run(tab.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tab.Fatalf("%s: %v", expression, err)
	}
	return v
}

// is checks what an expression is in the page.
func is[T comparable](tab tab, expression string, want T) {
	tab.Helper()
	if got := eval[T](tab, expression); got != want {
		tab.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// open opens the report of runs, and fails the test at its end for what the page has
// complained of.
func open(t *testing.T, browser context.Context, dirs ...string) tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(written(t, read(t, dirs...))), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(browser, time.Minute)
	t.Cleanup(end)
	complaints := make(chan string, 100)
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			complaints <- string(m.Type) + ": " + m.Text
		}
	}()
	t.Cleanup(func() {
		for len(complaints) > 0 {
			t.Error(<-complaints)
		}
	})
	address := url.URL{Scheme: "file", Path: file}
	if err := chromedp.Do(ctx, chromedp.Navigate(address.String())); err != nil {
		t.Fatal(err)
	}
	tab := tab{t, ctx}
	eval[any](tab, `(document.documentElement.style.scrollBehavior = 'auto', document.getElementById('explorer').scrollIntoView(), null)`)
	eval[any](tab, `new Promise((done) => { const wait = () => document.getElementById('explorer').dataset.ready ? done(1) : setTimeout(wait, 20); wait(); })`)
	return tab
}

// pageFunctions are what expressions on the page may call.
const pageFunctions = `(() => {
	window.$ = (id) => document.getElementById(id);
	window.shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0);
	window.enter = (id, value, kind) => { $(id).value = value; $(id).dispatchEvent(new Event(kind || 'input')); };
	window.point = (e, kind, x, y) => {
		e.scrollIntoView({ block: 'center' });
		const box = e.getBoundingClientRect();
		e.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x * box.width, clientY: box.top + y * box.height, pointerId: 1, bubbles: true }));
	};
	$('x-map').setPointerCapture = () => {};
	return null;
})()`

func TestPageInBrowser(t *testing.T) {
	browser := openBrowser(t)
	dir := play(t, "quickstart", scenarios.Options{})
	page := open(t, browser, dir)
	eval[any](page, pageFunctions)
	// One after the other: each finds the page as the last has left it.
	for _, part := range []struct {
		name string
		try  func(tab tab, dir string)
	}{
		{"figures", tryFigures},
		{"find a metric", tryMetrics},
		{"values under the pointer", tryPointer},
		{"pods", tryPods},
		{"nodes", tryNodes},
		{"stays", tryStays},
		{"themes", tryThemes},
		{"narrow", tryNarrow},
	} {
		t.Run(part.name, func(t *testing.T) { part.try(tab{t, page.ctx}, dir) })
	}
}

func tryFigures(tab tab, dir string) {
	saved := savedFigures(tab, dir)
	shown := eval[map[string]string](tab, `Object.fromEntries([...document.querySelectorAll('#metrics tbody tr')].map((r) =>
		[[r.dataset.scope, r.dataset.name, r.dataset.key].join('\n'), r.querySelector('td[data-number]').dataset.number]))`)
	if len(shown) != len(saved) {
		tab.Errorf("%d figures are shown, want %d", len(shown), len(saved))
	}
	for key, want := range saved {
		if got := shown[strings.Join(key[:], "\n")]; got != want {
			tab.Errorf("%v is shown as %s, want %s", key, got, want)
		}
	}
	for key, number := range eval[map[string]string](tab, `Object.fromEntries([...document.querySelectorAll('.tile .value')].map((e) => [e.dataset.key, e.dataset.number]))`) {
		if want := saved[[3]string{"run", "", key}]; number != want {
			tab.Errorf("the tile of %s has %s, want %s", key, number, want)
		}
	}
}

func tryMetrics(tab tab, _ string) {
	eval[any](tab, `($('all').open = true, enter('find-metric', 'waittobind p99 web'), null)`)
	is(tab, `shown('#metrics tbody tr').length`, 1)
	is(tab, `shown('#metrics tbody tr')[0].dataset.key`, "placement.waitToBind[p99]")
}

func tryPointer(tab tab, _ string) {
	eval[any](tab, `(point(document.querySelector('#f-utilization .plot'), 'pointermove', 0.95, 0.5), null)`)
	is(tab, `shown('#tip').length`, 1)
	is(tab, `/^1\d\d min/.test($('tip').textContent) && $('tip').textContent.includes('cpu') && $('tip').textContent.includes('%')`, true)
	eval[any](tab, `(document.querySelector('#f-utilization .plot').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' })), null)`)
	is(tab, `$('tip').textContent.startsWith('0 s')`, true)
	eval[any](tab, `(point(document.querySelector('#f-utilization .plot'), 'pointerleave', 0.5, 0.5), null)`)
	is(tab, `shown('#tip').length`, 0)
}

func tryPods(tab tab, dir string) {
	pods := read(tab, dir).pods()
	const name = "training-5-6"
	var mentioned []podView // pods of that name, and those whose story mentions it
	pending := 0
	for _, p := range pods {
		if strings.Contains(fmt.Sprint(p), name) {
			mentioned = append(mentioned, p)
		}
		if p.Kind == "pending" {
			pending++
		}
	}
	if len(mentioned) < 2 || len(mentioned) == len(pods) || pending == 0 || pending == len(pods) {
		tab.Fatalf("of %d pods %d mention %s and %d are pending: the filters are not tried", len(pods), len(mentioned), name, pending)
	}
	is(tab, `shown('#worst tbody').length`, 20)
	eval[any](tab, `([...$('pods').querySelectorAll('button.more')].forEach((b) => b.click()), null)`)
	is(tab, `shown('#worst tbody').length`, len(pods))
	eval[any](tab, `(enter('find-pod', '`+name+`'), null)`)
	is(tab, `shown('#worst tbody').length`, len(mentioned))
	is(tab, `shown('#worst tbody th')[0].textContent`, strings.TrimSpace(mentioned[0].Name+" "+mentioned[0].Recreated))
	eval[any](tab, `(enter('find-pod', ''), enter('pod-outcome', 'pending', 'change'), null)`)
	is(tab, `shown('#worst tbody').length`, pending)
	byAttempts := func(a, b podView) int { return cmp.Compare(a.Attempts, b.Attempts) }
	eval[any](tab, `(enter('pod-outcome', '', 'change'), document.querySelectorAll('#worst th button')[1].click(), null)`)
	is(tab, `+document.querySelector('#worst tbody').dataset.sort.split(' ')[1]`, slices.MaxFunc(pods, byAttempts).Attempts)
	eval[any](tab, `(document.querySelectorAll('#worst th button')[1].click(), null)`)
	is(tab, `+document.querySelector('#worst tbody').dataset.sort.split(' ')[1]`, slices.MinFunc(pods, byAttempts).Attempts)
}

func tryNodes(tab tab, _ string) {
	is(tab, `$('x-where').textContent`, "40 nodes of 40, 0 s to 2 h")
	eval[any](tab, `($('x-in').click(), null)`)
	is(tab, `$('x-where').textContent`, "20 nodes of 40, 30 min to 90 min")
	eval[any](tab, `($('x-out').click(), null)`)
	is(tab, `$('x-where').textContent`, "40 nodes of 40, 0 s to 2 h")
	eval[any](tab, `(enter('x-group', '1', 'change'), null)`)
	is(tab, `$('x-where').textContent`, "13 nodes of 13, 0 s to 2 h")
	eval[any](tab, `($('x-all').click(), point($('x-map'), 'pointerdown', 0.5, 0.01), point($('x-map'), 'pointerup', 0.5, 0.01), null)`)
	is(tab, `$('x-node').querySelector('h3').textContent`, "general-0000 general / a")
	eval[any](tab, `($('x-map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' })), $('x-map').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })), null)`)
	is(tab, `$('x-node').querySelector('h3').textContent`, "general-0003 general / a")
	eval[any](tab, `(enter('x-find', '-0017'), null)`)
	is(tab, `$('x-node').querySelector('h3').textContent`, "general-0017 general / c")
}

func tryStays(tab tab, dir string) {
	compareOccupancies(tab, read(tab, dir).runs[0], "general-0017")
}

func tryThemes(tab tab, _ string) {
	paper := `getComputedStyle(document.body).backgroundColor`
	for _, theme := range []struct{ scheme, want string }{{"light", "rgb(247, 247, 245)"}, {"dark", "rgb(20, 23, 27)"}} {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme.scheme}}
		if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
			tab.Fatal(err)
		}
		is(tab, paper, theme.want)
	}
	eval[any](tab, `($('theme').click(), null)`)
	is(tab, paper, "rgb(247, 247, 245)")
	eval[any](tab, `($('theme').click(), null)`)
	is(tab, paper, "rgb(20, 23, 27)")
}

func tryNarrow(tab tab, _ string) {
	if err := chromedp.Do(tab.ctx, chromedp.EmulateViewport(400, 800)); err != nil {
		tab.Fatal(err)
	}
	is(tab, `document.documentElement.scrollWidth`, 400)
	is(tab, `shown('.plot .wide, .plot .broad').length`, 0)
	is(tab, `[...document.querySelectorAll('.stacked')].filter((t) => t.parentElement.scrollWidth > t.parentElement.clientWidth).length`, 0)
	is(tab, `shown('.nodelist.folded .beyond, .reasons.folded .beyond').length`, 0)
	is(tab, `getComputedStyle(document.querySelector('.nodelist td[data-head]'), '::before').content`, `"cpu "`)
	is(tab, `[...document.querySelectorAll('#x-bands b')].every((b) => b.scrollWidth <= b.clientWidth)`, true)
}

// compareOccupancies checks that the page shows the pods that were on a node.
func compareOccupancies(tab tab, run *run, node string) {
	tab.Helper()
	var want []string
	for _, s := range run.longestOccupancies() {
		if run.nodeName(s.node) == node {
			want = append(want, s.name)
		}
	}
	slices.Sort(want)
	got := eval[[]string](tab, `[...document.querySelectorAll('#x-node tbody th')].map((e) => e.textContent)`)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		tab.Errorf("the pods of %s are %q, want %q", node, got, want)
	}
}

// A node with devices shows what was free of each at an instant, and which pods held it; the
// instant is the one that was clicked on, until another is chosen.
func TestDevicesInBrowser(t *testing.T) {
	browser := openBrowser(t)
	dir := play(t, "gpu-fleet", scenarios.Options{})
	tab := open(t, browser, dir)
	eval[any](tab, pageFunctions)
	run := read(t, dir).runs[0]
	eval[any](tab, `(enter('x-resource', '4', 'change'), enter('x-find', 'node-30'), point($('x-map'), 'pointerdown', 0.5, 0.5), point($('x-map'), 'pointerup', 0.5, 0.5), null)`)
	is(tab, `$('x-resource').selectedOptions[0].textContent`, "devices")
	is(tab, `document.querySelector('#x-node .devices output').textContent`, "4 h")
	for _, share := range []float64{0.5, 0.1, 0.73, 1} {
		eval[any](tab, fmt.Sprintf(`(enter('x-instant', %v), null)`, share))
		got := eval[[]string](tab, `[...document.querySelectorAll('#x-node .devices tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent).join(' '))`)
		if want := run.devicesAt("node-30", clock.Time(float64(run.end)*share)); !slices.Equal(got, want) {
			t.Errorf("after %v of the time the devices are %q, want %q", share, got, want)
		}
	}
	is(tab, `$('x-node').querySelectorAll('.scroll')[1].querySelectorAll('th')[1].textContent`, "devices")
	for _, width := range []int64{1280, 400} {
		if err := chromedp.Do(tab.ctx, chromedp.EmulateViewport(width, 800)); err != nil {
			t.Fatal(err)
		}
		is(tab, `document.documentElement.scrollWidth`, int(width))
	}
}

// devicesAt are the rows that the page should have for the devices of a node.
func (run *run) devicesAt(node string, now clock.Time) []string {
	free, pods := make([]int32, 8), make([][]string, 8)
	for _, s := range run.longestOccupancies() {
		if run.nodeName(s.node) == node && s.from <= now && (now < s.to || s.ending == continues) {
			for _, d := range s.devices {
				free[d] -= run.classes[s.class].milli
				pods[d] = append(pods[d], s.name)
			}
		}
	}
	var rows []string
	for d := range free {
		rows = append(rows, fmt.Sprintf("%d %d %% %s", d, (1000+free[d])/10, cmp.Or(strings.Join(pods[d], ", "), "–")))
	}
	return rows
}

func TestPageOfSeveralRunsInBrowser(t *testing.T) {
	browser := openBrowser(t)
	tab := open(t, browser, play(t, "quickstart", scenarios.Options{}), play(t, "preemption", scenarios.Options{}))
	eval[any](tab, pageFunctions)
	eval[any](tab, `(enter('x-run', '1', 'change'), null)`)
	eval[any](tab, `new Promise((done) => { const wait = () => $('explorer').dataset.ready === '1' ? done(1) : setTimeout(wait, 20); wait(); })`)
	is(tab, `$('x-where').textContent.startsWith('10 nodes of 10')`, true)
	all := eval[int](tab, `($('all').open = true, shown('#metrics tbody tr').length)`)
	eval[any](tab, `($('only-different').click(), null)`)
	if different := eval[int](tab, `shown('#metrics tbody tr').length`); different == 0 || different >= all {
		t.Errorf("%d of %d figures differ", different, all)
	}
}
