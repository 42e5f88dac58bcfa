  // The table of all figures.
  const findMetric = $('find-metric'), different = $('only-different'), metricRows = all('#metrics tbody tr');
  const filterMetrics = () => {
    const words = findMetric.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of metricRows) {
      const text = (row.dataset.key + ' ' + row.dataset.scope + ' ' + row.dataset.name).toLowerCase();
      const numbers = all('td[data-number]', row).map((c) => c.dataset.number);
      row.hidden = !words.every((w) => text.includes(w)) || (different && different.checked && numbers.every((n) => n === numbers[0]));
      if (!row.hidden) found++;
    }
    $('found-metrics').textContent = found === metricRows.length ? '' : found + ' of ' + metricRows.length;
  };
  findMetric.addEventListener('input', filterMetrics);
  if (different) different.addEventListener('change', filterMetrics);

  // Long tables show their first rows until all are asked for.
  const rowsOf = (table) => table.id === 'worst' ? [...table.tBodies] : [...table.tBodies[0].rows];
  const fold = (table) => {
    const rows = rowsOf(table), first = +table.dataset.first, again = table.fold;
    if (!first || (again && !again.isConnected)) return; // all are shown permanently
    rows.forEach((row, i) => row.classList.toggle('beyond', i >= first));
    table.classList.toggle('folded', rows.length > first);
    if (again) { again.hidden = rows.length <= first; again.textContent = 'Show all ' + rows.length; return; }
    if (rows.length <= first) return;
    const button = table.fold = make('button', 'Show all ' + rows.length, 'more');
    button.type = 'button';
    button.addEventListener('click', () => { unfold(table); button.remove(); rows[first].querySelector('a, button, summary')?.focus({ preventScroll: true }); });
    (table.closest('.scroll') || table).after(button);
  };
  const unfold = (table) => { table.classList.remove('folded'); if (table.fold) table.fold.hidden = true; };
  all('table[data-first]').forEach(fold);

  // The table of pods.
  let showPod = () => {};
  const worst = $('worst');
  if (worst) {
    const bodies = all('tbody', worst), outcome = $('pod-outcome'), find = $('find-pod');
    for (const kind of [...new Set(bodies.map((b) => b.dataset.kind))].sort()) outcome.append(make('option', kind));
    const filter = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const b of bodies) {
        const text = b.textContent.toLowerCase();
        b.hidden = (outcome.value && b.dataset.kind !== outcome.value) || !words.every((w) => text.includes(w));
        if (!b.hidden) found++;
      }
      if (outcome.value || words.length) unfold(worst); else fold(worst);
      $('found-pods').textContent = found === bodies.length ? '' : found + ' of ' + bodies.length;
    };
    showPod = (body) => {
      if (body.hidden) { find.value = outcome.value = ''; filter(); }
      body.querySelector('details').open = true;
    };
    find.addEventListener('input', filter);
    outcome.addEventListener('change', filter);
    for (const head of all('th[data-sort]', worst)) {
      const sorter = make('button', head.textContent);
      sorter.type = 'button';
      head.replaceChildren(sorter);
      sorter.addEventListener('click', () => {
        const up = head.getAttribute('aria-sort') === 'descending', k = +head.dataset.sort - 1;
        all('th[aria-sort]', worst).forEach((h) => h.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        const key = (b) => +b.dataset.sort.split(' ')[k];
        worst.append(...[...bodies].sort((a, b) => up ? key(a) - key(b) : key(b) - key(a)));
        fold(worst);
      });
    }
  }
