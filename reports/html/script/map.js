  explorer.hidden = false;
  const runs = [], map = $('x-map'), pen = map.getContext('2d'), bandNames = $('x-bands');
  const empty = 1, full = 11, over = 12, closed = 13;
  let strip = null; // draws when the pods of the chosen node were there
  const view = { run: null, list: [], top: 0, bottom: 0, left: 0, right: 1, row: -1, column: 0 };
  const color = (level) => getComputedStyle(root).getPropertyValue(level ? '--l' + level : '--absent').trim();
  const rgb = (text) => {
    pen.fillStyle = text;
    const hex = pen.fillStyle;
    return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  };
  // The grouping of nodes that was chosen: that of the name, or the first one of a run that has none of it.
  const by = $('h-by');
  const groupingOf = (r) => Math.max(0, r.groupings.findIndex((g) => by && g.name === by.value));
  const rowOf = (node) => { const g = view.run.groupings[groupingOf(view.run)]; return g.of[view.run.group[node]]; };
  const groupName = (node) => view.run.groupings[groupingOf(view.run)].rows[rowOf(node)];
  const levelAt = (node, column) => {
    const r = view.run;
    return r.levels[(node * r.resources.length + +$('x-resource').value) * r.columns + column];
  };
  const mean = (node) => {
    let sum = 0, n = 0;
    for (let c = 0; c < view.run.columns; c++) { const l = levelAt(node, c); if (l) { sum += l === closed ? empty : l; n++; } }
    return n ? sum / n : 0;
  };
  const options = (select, entries) => select.replaceChildren(...entries.map(([v, text]) => { const o = make('option', text); o.value = v; return o; }));
  const many = (n) => n.toLocaleString('en') + (n === 1 ? ' node' : ' nodes');
  const levelWords = (l) => l === 0 ? 'not there' : l === empty ? 'empty' : l === closed ? 'empty, closed to new pods' : l === over ? 'more than all' : (l - 2) * 10 + ' to ' + (l - 1) * 10 + ' %';

  const choose = () => {
    const r = view.run, group = $('x-group').value, words = $('x-find').value.toLowerCase(), order = $('x-order').value;
    view.list = [];
    for (let i = 0; i < r.names.length; i++) {
      if ((group === '' || rowOf(i) === +group) && r.names[i].toLowerCase().includes(words)) view.list.push(i);
    }
    if (order === 'group') view.list.sort((a, b) => rowOf(a) - rowOf(b) || a - b);
    else if (order !== 'name') {
      const of = new Map(view.list.map((i) => [i, mean(i)]));
      view.list.sort((a, b) => (order === 'full' ? of.get(b) - of.get(a) : of.get(a) - of.get(b)) || a - b);
    }
    Object.assign(view, { top: 0, bottom: view.list.length, left: 0, right: 1, row: -1 });
    draw();
    if (words && view.list.length === 1) showNode(view.list[0], 1);
  };

  // bands are the rows of each group; of pools and zones those of each pool where they are too low for names.
  const bands = (tall) => {
    const r = view.run, rows = view.bottom - view.top, least = 14 * rows / tall;
    const cut = (name) => {
      const out = [];
      for (let i = view.top; i < view.bottom; i++) {
        const text = name(view.list[i]), last = out[out.length - 1];
        if (last && last.text === text) last.to = i + 1; else out.push({ text, from: i, to: i + 1 });
      }
      return out;
    };
    if ($('x-order').value !== 'group') return [];
    const groups = cut(groupName), pools = r.groupings.find((g) => g.name === 'pool');
    const low = groups.some((b) => b.to - b.from < least) && r.groupings[groupingOf(r)].name === 'pool and zone';
    return low && pools ? cut((node) => pools.rows[pools.of[r.group[node]]]) : groups;
  };
  const nameBands = (list, tall) => {
    const rows = view.bottom - view.top;
    bandNames.replaceChildren(...list.map((b) => {
      const label = make('span'), height = (b.to - b.from) * tall / rows;
      if (height >= 14) label.append(make('b', b.text));
      label.title = b.text;
      label.style.top = (b.from - view.top) * tall / rows + 'px';
      label.style.height = height + 'px';
      label.style.setProperty('--lines', Math.floor(height / 14)); // a name that needs more is cut
      return label;
    }));
    explorer.style.setProperty('--bands', bandNames.offsetWidth + 'px');
  };

  // Each row of pixels shows one node or the mean of several.
  const draw = () => {
    const r = view.run, rows = view.bottom - view.top, ratio = devicePixelRatio || 1;
    const tall = Math.min(420, Math.max(60, rows * 14)), height = Math.round(tall * ratio), named = bands(tall);
    nameBands(named, tall);
    const width = Math.max(60, Math.round(map.clientWidth * ratio));
    map.width = width;
    map.height = height;
    map.style.height = tall + 'px';
    const palette = [...Array(closed + 1).keys()].map((l) => rgb(color(l))), image = pen.createImageData(width, height);
    const cells = new Float64Array(r.columns);
    let drawnFrom = -1, drawnTo = -1;
    for (let y = 0; y < height && rows > 0; y++) {
      const from = view.top + Math.floor(y * rows / height), to = Math.max(from + 1, view.top + Math.floor((y + 1) * rows / height));
      if (from !== drawnFrom || to !== drawnTo) {
        for (let c = 0; c < r.columns; c++) {
          let sum = 0, n = 0, shut = 0, last = 0;
          for (let i = from; i < to; i++) {
            const l = levelAt(view.list[i], c);
            if (l) { sum += l === closed ? empty : l; n++; last = l; }
            if (l === closed) shut++;
          }
          cells[c] = n === 1 ? last : 2 * shut > n ? closed : n ? Math.min(full, Math.round(sum / n)) : 0;
        }
        drawnFrom = from;
        drawnTo = to;
      }
      for (let x = 0; x < width; x++) {
        const c = Math.min(r.columns - 1, Math.floor((view.left + (x + 0.5) / width * (view.right - view.left)) * r.columns));
        const p = palette[cells[c]], o = 4 * (y * width + x);
        image.data[o] = p[0];
        image.data[o + 1] = p[1];
        image.data[o + 2] = p[2];
        image.data[o + 3] = 255;
      }
    }
    pen.putImageData(image, 0, 0);
    pen.fillStyle = color(0);
    if (rows * 8 <= tall) for (let i = 1; i < rows; i++) pen.fillRect(0, Math.round(i * height / rows), width, 1);
    pen.fillStyle = getComputedStyle(root).getPropertyValue('--soft');
    for (const b of named.slice(1)) pen.fillRect(0, Math.round((b.from - view.top) * height / rows), width, 1);
    if (view.row >= 0) {
      pen.strokeStyle = getComputedStyle(root).getPropertyValue('--text');
      pen.lineWidth = 2 * ratio;
      const h = Math.max(height / rows, 3 * ratio), y = (view.row - view.top) * height / rows;
      pen.strokeRect(ratio, y, width - 2 * ratio, h);
    }
    if (drag && drag.moved) {
      pen.strokeStyle = getComputedStyle(root).getPropertyValue('--accent');
      pen.lineWidth = 2 * ratio;
      pen.strokeRect(drag.x * ratio, drag.y * ratio, (drag.toX - drag.x) * ratio, (drag.toY - drag.y) * ratio);
    }
    const instant = (share) => time(r.seconds * (view.left + share * (view.right - view.left)));
    $('x-clock').replaceChildren(...clockLabels(r.seconds * view.left, r.seconds * view.right).map((text) => make('span', text)));
    $('x-where').textContent = rows ? `${many(rows)} of ${view.list.length.toLocaleString('en')}, ${instant(0)} to ${instant(1)}` +
      (rows > tall ? ', each line the mean of several' : rows < 4 ? ': ' + view.list.slice(view.top, view.bottom).map((i) => r.names[i]).join(', ') : '') : 'No node has that name.';
    if (strip) strip();
  };

  // zoom shows the part around a point of the map: factor below 1 for less of it.
  const zoom = (factor, x, y) => {
    const span = (from, to, at, most, least) => {
      const size = Math.min(most, Math.max(least, (to - from) * factor)), middle = from + at * (to - from);
      const begin = Math.min(most - size, Math.max(0, middle - at * size));
      return [begin, begin + size];
    };
    [view.left, view.right] = span(view.left, view.right, x, 1, 4 / view.run.columns);
    const n = view.list.length, [top, bottom] = span(view.top, view.bottom, y, n, Math.min(n, 4));
    view.top = Math.floor(top);
    view.bottom = Math.min(n, Math.ceil(bottom));
    draw();
  };
  const within = () => view.row < 0 ? 0.5 : (view.row - view.top + 0.5) / Math.max(1, view.bottom - view.top);
