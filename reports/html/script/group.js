  const load = async (i) => runs[i] ||= await unpack(sources[i].textContent);
  const open = async (i) => {
    try { await load(i); } catch (e) {
      $('x-where').textContent = 'The data of the nodes cannot be read: ' + e.message;
      return;
    }
    const r = view.run = runs[i], keep = $('x-resource').value;
    view.number = +sources[i].dataset.run;
    options($('x-resource'), r.resources.map((name, k) => [k, name]));
    if (keep !== '' && +keep < r.resources.length) $('x-resource').value = keep;
    options($('x-names'), r.names.slice(0, 500).map((name) => [name, '']));
    $('x-node').replaceChildren();
    strip = null;
    group();
    explorer.dataset.ready = i;
  };
  // group fills what depends on the grouping of the nodes.
  const group = () => {
    const g = view.run.groupings[groupingOf(view.run)];
    $('x-by').textContent = g.name[0].toUpperCase() + g.name.slice(1);
    options($('x-group'), [['', 'all']].concat(g.rows.map((name, k) => [k, name])));
    choose();
  };
  // regroup draws the rows of a heat map by the grouping that was chosen.
  const svg = (name, attributes) => {
    const e = document.createElementNS(document.querySelector('svg').namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };
  const regroup = (table, r) => {
    const k = groupingOf(r), g = r.groupings[k], resource = r.resources.indexOf(table.dataset.resource), rows = [];
    g.rows.forEach((name, i) => {
      const [mean, high, last] = g.figures[resource][i], levels = r.rowLevels[k][resource][i];
      if (!mean) return; // its nodes lack the resource
      const row = make('tr'), head = make('th', name + ' '), cell = make('td'), paths = new Map();
      head.scope = 'row';
      head.append(make('small', g.nodes[i]));
      for (let c = 0; c < r.columns;) {
        let end = c + 1;
        while (end < r.columns && levels[end] === levels[c]) end++;
        if (levels[c]) paths.set(levels[c], (paths.get(levels[c]) || '') + 'M' + c + ' 0h' + (end - c) + 'v1h-' + (end - c) + 'z');
        c = end;
      }
      const drawing = svg('svg', { viewBox: '0 0 ' + r.columns + ' 1', preserveAspectRatio: 'none', role: 'img', 'aria-label': name + ': in the mean ' + mean + ', at most ' + high + ', at last ' + last });
      for (const [level, d] of paths) drawing.append(svg('path', { class: 'l' + level, d }));
      cell.append(drawing);
      row.append(head, cell, make('td', mean));
      rows.push(row);
    });
    table.tBodies[0].replaceChildren(...rows);
    all('.by', table).forEach((e) => { e.textContent = g.name; });
    fold(table);
  };
  if (by) {
    $('grouping').hidden = false;
    by.addEventListener('change', async () => {
      for (let i = 0; i < sources.length; i++) {
        const r = await load(i);
        all('.heat[data-run="' + sources[i].dataset.run + '"]').forEach((table) => regroup(table, r));
      }
      if (view.run) group();
      document.body.dataset.by = by.value;
    });
  }
  openNode = async (run, number) => {
    const i = sources.findIndex((e) => +e.dataset.run === run);
    if (i < 0) return;
    if (!view.run || view.number !== run) { if ($('x-run')) $('x-run').value = i; await open(i); }
    if (number >= view.run.names.length) return;
    showNode(number, 1);
    $('x-node').scrollIntoView({ block: 'start' });
  };
  if ($('x-run')) $('x-run').addEventListener('change', () => open(+$('x-run').value));
  $('x-resource').addEventListener('change', () => { if (['group', 'name'].includes($('x-order').value)) draw(); else choose(); });
  for (const id of ['x-group', 'x-order']) $(id).addEventListener('change', choose);
  $('x-find').addEventListener('input', choose);
  $('x-in').addEventListener('click', () => zoom(0.5, 0.5, within()));
  $('x-out').addEventListener('click', () => zoom(2, 0.5, within()));
  $('x-all').addEventListener('click', () => { $('x-find').value = ''; $('x-group').value = ''; choose(); });
  const again = () => { if (view.run) { draw(); if ($('x-node').dataset.node && $('x-node').firstChild) showNode(+$('x-node').dataset.node, $('x-instant') ? +$('x-instant').value : 1); } };
  addEventListener('resize', again);
  document.addEventListener('theme', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  follow();
  new IntersectionObserver((entries, watcher) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    watcher.disconnect();
    if (!view.run) open(0);
  }, { rootMargin: '600px' }).observe(explorer);
