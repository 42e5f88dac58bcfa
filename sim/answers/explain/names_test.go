package explain

import "testing"

func TestParsePod(t *testing.T) {
	for text, valid := range map[string]bool{
		"web": true, "shop/web": true, "web-": true, "": false, "/web": false, "shop/": false, "a/b/c": false, "/": false,
	} {
		w, err := ParsePod(text)
		if (err == nil) != valid || valid && w.String() != text {
			t.Errorf("%q is read as %v, %v", text, w, err)
		}
	}
}

func TestResolve(t *testing.T) {
	pods := []string{"shop/web", "default/api", "blog/api", "shop/db-1", "blog/db-1", "shop/web-1", "shop/web-2", "shop/web"}
	for asked, want := range map[string]string{
		"api":       "default/api", // whatever else there is
		"blog/api":  "blog/api",
		"web":       "shop/web", // the only one
		"db-1":      "there are 2 pods called db-1: blog/db-1, shop/db-1; say which",
		"web-":      "pod web- not found; 2 begin with that: shop/web-1, shop/web-2",
		"blog/db":   "pod blog/db not found; 1 begins with that: blog/db-1",
		"blog/web":  "pod blog/web not found, but shop/web",
		"ipa":       "pod ipa not found",
		"shop/wbe":  `pod shop/wbe not found; did you mean "shop/web"?`,
		"nobody-12": "pod nobody-12 not found",
	} {
		w, err := ParsePod(asked)
		if err != nil {
			t.Fatal(err)
		}
		n := names{PodName: w}
		for _, pod := range pods {
			n.add(pod)
		}
		got, err := n.resolve()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
	none := names{PodName: PodName{name: "web"}}
	if _, err := none.resolve(); err == nil || err.Error() != "the cluster has no pods: check -f, or set --at to a later time" {
		t.Errorf("without pods: %v", err)
	}
}

func TestListed(t *testing.T) {
	many := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	if got := listed(many); got != "a, b, c, d, e, f, g, h and 2 more" {
		t.Error(got)
	}
	if got := listed(many[:8]); got != "a, b, c, d, e, f, g, h" {
		t.Error(got)
	}
}

func FuzzParsePod(f *testing.F) {
	for _, text := range []string{"web", "shop/web", "a/b/c", "", "/", "shop/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParsePod(text)
		if err == nil && (w.name == "" || w.String() != text || w.namespace == "" && !w.is("default/"+w.name)) {
			t.Errorf("%q is read as %q", text, w)
		}
	})
}
