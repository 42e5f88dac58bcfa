'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, of) => [...(of || document).querySelectorAll(selector)];
  const make = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  // Words for times and values.
  const trim = (v) => String(+v.toPrecision(3));
  const time = (s) => {
    if (s === 0) return '0 s';
    if (s < 1e-3) return trim(s * 1e6) + ' µs';
    if (s < 1) return trim(s * 1e3) + ' ms';
    if (s < 120) return trim(s) + ' s';
    if (s < 7200) return trim(s / 60) + ' min';
    if (s < 259200) return trim(s / 3600) + ' h';
    return trim(s / 86400) + ' d';
  };
  // clockLabels are for the ends of four equal parts of a time, in the unit of one of them, as the
  // axes of charts have them.
  const clockLabels = (from, to) => {
    const step = Math.max(to - from, 1e-6) / 4;
    const [unit, name] = step >= 86400 ? [86400, 'd'] : step >= 3600 ? [3600, 'h'] : step >= 60 ? [60, 'min'] : [1, 's'];
    const digits = 1 + Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
    return [0, 1, 2, 3, 4].map((i) => +((from + i * (to - from) / 4) / unit).toFixed(digits) + ' ' + name);
  };
  const value = (kind, v) => v === null ? '–' : kind === 'count' ? v.toLocaleString('en', { maximumFractionDigits: 2 }) : (100 * v).toFixed(1) + ' %';

  // The theme: that of the system, or one that was chosen.
  const root = document.documentElement, button = $('theme');
  const themes = { '': ['◐', 'as the system'], light: ['☀', 'light'], dark: ['☾', 'dark'] };
  const setTheme = (name, keep) => {
    if (name) root.dataset.theme = name; else delete root.dataset.theme;
    button.textContent = themes[name][0];
    button.title = 'Theme: ' + themes[name][1];
    button.setAttribute('aria-label', button.title);
    if (keep) try { localStorage.setItem('berth-theme', name); } catch { /* not kept where storage is closed */ }
    document.dispatchEvent(new Event('theme'));
  };
  let stored = '';
  try { stored = localStorage.getItem('berth-theme') || ''; } catch { /* as above */ }
  setTheme(stored in themes ? stored : '');
  button.addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    setTheme(root.dataset.theme ? '' : dark ? 'light' : 'dark', true);
  });

  // Values under the pointer.
  const tip = $('tip');
  const showTip = (rows, title, x, y) => {
    tip.replaceChildren(make('strong', title), ...rows.map(([name, text, ink]) => {
      const row = make('div', undefined, 'row'), label = make('span');
      if (ink !== undefined) label.append(make('span', undefined, 'swatch i' + ink));
      label.append(name);
      row.append(label, make('span', text));
      return row;
    }));
    tip.hidden = false;
    const left = x + 16 + tip.offsetWidth > innerWidth ? x - 16 - tip.offsetWidth : x + 16;
    tip.style.left = Math.max(4, left + scrollX) + 'px';
    tip.style.top = Math.max(4, y + scrollY + 14) + 'px';
  };
  const hideTip = () => { tip.hidden = true; all('.cursor').forEach((c) => c.remove()); };
  const before = (list, x) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= x) low = middle + 1; else high = middle;
    }
    return low - 1;
  };
  for (const figure of all('.fig')) {
    const source = figure.querySelector('.values'), plot = figure.querySelector('.plot');
    if (!source || !plot) continue;
    const data = JSON.parse(source.textContent);
    const logarithmic = data.kind === 'cdf';
    const scale = (share) => logarithmic ? data.low * (data.high / data.low) ** share : data.low + share * (data.high - data.low);
    let at = 0.5;
    const point = (share, y) => {
      at = Math.min(1, Math.max(0, share));
      const svg = all('svg', plot).find((s) => s.getBoundingClientRect().width > 0), box = svg.getBoundingClientRect();
      const from = +svg.dataset.from, to = +svg.dataset.to, x = scale(at), offset = box.width * (from + at * (to - from));
      const cursor = plot.querySelector('.cursor') || plot.appendChild(make('span', undefined, 'cursor'));
      cursor.style.left = offset + 'px';
      const rows = data.series.map((s) => {
        const i = before(s.x, x);
        return [s.name, i < 0 ? (logarithmic ? value('share', 0) : '–') : value(logarithmic ? 'share' : data.kind, s.y[i]), s.ink];
      });
      showTip(rows, (logarithmic ? 'at most ' : '') + time(x), box.left + offset, y === undefined ? box.top + 20 : y);
    };
    plot.addEventListener('pointermove', (e) => {
      const svg = all('svg', plot).find((s) => s.getBoundingClientRect().width > 0), box = svg.getBoundingClientRect();
      point(((e.clientX - box.left) / box.width - svg.dataset.from) / (svg.dataset.to - svg.dataset.from), e.clientY);
    });
    plot.addEventListener('pointerleave', hideTip);
    plot.addEventListener('blur', hideTip);
    plot.addEventListener('keydown', (e) => {
      const step = { ArrowLeft: -0.01, ArrowRight: 0.01, Home: -1, End: 1 }[e.key];
      if (step === undefined) { if (e.key === 'Escape') hideTip(); return; }
      e.preventDefault();
      point(at + step);
    });
  }

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

  // The table of pods.
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
      $('found-pods').textContent = found === bodies.length ? '' : found + ' of ' + bodies.length;
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
      });
    }
  }

  // The nodes of one run, unpacked.
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const data = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = data.indexOf(10), run = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
    let at = end + 1;
    run.levels = data.subarray(at, at += run.names.length * run.resources.length * run.columns);
    const varint = () => {
      let v = 0, power = 1;
      for (;;) {
        const b = data[at++];
        v += (b & 127) * power;
        if (b < 128) return v;
        power *= 128;
      }
    };
    const list = (n, read) => { const out = new Array(n); for (let i = 0; i < n; i++) out[i] = read(); return out; };
    run.first = [0];
    run.left = [];
    for (let i = 0; i < run.names.length; i++) {
      run.first.push(run.first[i] + varint());
      run.left.push(varint());
    }
    const zigzag = () => { const v = varint(); return v % 2 ? -(v + 1) / 2 : v / 2; };
    const n = run.stays, from = list(n, varint), length = list(n, varint), prefix = list(n, varint), step = list(n, zigzag), how = list(n, varint);
    for (let i = 1; i < n; i++) step[i] += step[i - 1];
    const held = run.devices && list(n, () => list(varint(), varint));
    run.pods = (node) => {
      const out = [];
      let t = 0;
      for (let i = run.first[node]; i < run.first[node + 1]; i++) {
        t += from[i];
        out.push({
          from: t / run.units, to: (t + length[i]) / run.units, class: how[i] >> 2, how: how[i] & 3, held: held ? held[i] : [],
          name: run.prefixes[prefix[i]] + (step[i] ? step[i] - 1 : ''),
        });
      }
      return out;
    };
    return run;
  };

  const explorer = $('explorer'), sources = all('.nodes');
  if (!explorer || typeof DecompressionStream === 'undefined') return;
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
  const groupName = (g) => g[0] && g[1] ? g[0] + ' / ' + g[1] : g[0] || (g[1] ? 'zone ' + g[1] : 'all nodes');
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
      if ((group === '' || r.group[i] === +group) && r.names[i].toLowerCase().includes(words)) view.list.push(i);
    }
    if (order === 'group') view.list.sort((a, b) => r.group[a] - r.group[b] || a - b);
    else if (order !== 'name') {
      const of = new Map(view.list.map((i) => [i, mean(i)]));
      view.list.sort((a, b) => (order === 'full' ? of.get(b) - of.get(a) : of.get(a) - of.get(b)) || a - b);
    }
    Object.assign(view, { top: 0, bottom: view.list.length, left: 0, right: 1, row: -1 });
    draw();
    if (words && view.list.length === 1) showNode(view.list[0], 1);
  };

  // bands are the rows of each pool and zone, or of each pool where those are too low for names.
  const bands = (tall) => {
    const r = view.run, rows = view.bottom - view.top, least = 14 * rows / tall;
    const cut = (name) => {
      const out = [];
      for (let i = view.top; i < view.bottom; i++) {
        const text = name(r.groups[r.group[view.list[i]]]), last = out[out.length - 1];
        if (last && last.text === text) last.to = i + 1; else out.push({ text, from: i, to: i + 1 });
      }
      return out;
    };
    if ($('x-order').value !== 'group') return [];
    const zones = cut(groupName);
    return zones.every((b) => b.to - b.from >= least) ? zones : cut((g) => g[0] || 'no pool');
  };
  const nameBands = (list, tall) => {
    const rows = view.bottom - view.top;
    bandNames.replaceChildren(...list.map((b) => {
      const label = make('span', (b.to - b.from) * tall / rows < 14 ? '' : b.text);
      label.title = b.text;
      label.style.top = (b.from - view.top) * tall / rows + 'px';
      label.style.height = (b.to - b.from) * tall / rows + 'px';
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

  const heading = (words, names) => {
    const head = make('tr');
    names.forEach((text, i) => { const h = make('th', text, words.includes(i) ? 'word' : ''); h.scope = 'col'; head.append(h); });
    return head;
  };

  // showDevices is what is free of each device of a node at an instant, and the pods that hold it.
  const showDevices = (node, pods, share) => {
    const r = view.run, box = make('div', undefined, 'devices'), label = make('label'), slider = make('input'), shownTime = make('output');
    const table = make('table', undefined, 'data'), body = make('tbody'), wrap = make('div', undefined, 'scroll tall');
    const fill = () => {
      const at = +slider.value;
      shownTime.textContent = time(at * r.seconds);
      slider.setAttribute('aria-valuetext', shownTime.textContent);
      body.replaceChildren();
      for (let d = 0; d < r.devices[node]; d++) {
        const on = pods.filter((p) => p.held.includes(d) && p.from <= at && (at < p.to || (p.how === 2 && at === p.to)));
        const row = make('tr'), number = make('th', d), free = on.reduce((rest, p) => rest - r.milli[p.class], 1000);
        number.scope = 'row';
        row.append(number, make('td', free / 10 + ' %'), make('td', on.map((p) => p.name).join(', ') || '–', 'word'));
        body.append(row);
      }
    };
    Object.assign(slider, { type: 'range', min: 0, max: 1, step: 'any', value: share, id: 'x-instant' });
    slider.addEventListener('input', fill);
    label.append('Devices at ', shownTime, slider);
    table.append(make('caption', 'Devices of ' + r.names[node], 'hidden'), make('thead'), body);
    table.tHead.append(heading([2], ['device', 'free', 'pods']));
    wrap.append(table);
    wrap.tabIndex = 0;
    wrap.setAttribute('role', 'region');
    wrap.setAttribute('aria-label', 'Devices of ' + r.names[node]);
    box.append(label, wrap);
    fill();
    return box;
  };

  // drawStays draws when pods were on a node, as far as the map shows that time; pods that ask
  // for the same have one color.
  const drawStays = (chart, clock, pods, lanes) => {
    const r = view.run, ratio = devicePixelRatio || 1, lane = Math.max(2, Math.min(9, 220 / Math.max(1, lanes)));
    chart.width = Math.round(chart.clientWidth * ratio);
    chart.height = Math.round((lanes * lane + 2) * ratio);
    const ink = chart.getContext('2d'), style = getComputedStyle(root), x = (share) => (share - view.left) / (view.right - view.left) * chart.width;
    for (const p of pods) {
      if (p.to < view.left || p.from > view.right) continue;
      ink.fillStyle = style.getPropertyValue('--i' + p.ink);
      ink.fillRect(x(p.from), p.lane * lane * ratio, Math.max(1, x(p.to) - x(p.from) - ratio), (lane - 1) * ratio);
    }
    clock.replaceChildren(...clockLabels(r.seconds * view.left, r.seconds * view.right).map((text) => make('span', text)));
  };

  // colorStays gives each pod an ink, by what it asks for, and returns the legend.
  const colorStays = (pods) => {
    const evicted = 3, rest = 6, inks = [2, 4, 5, 7, 8], r = view.run, many = new Map(), legend = make('ul', undefined, 'legend');
    for (const p of pods) if (p.how !== 1) many.set(r.classes[p.class], (many.get(r.classes[p.class]) || 0) + 1);
    const names = [...many.keys()].sort((a, b) => many.get(b) - many.get(a));
    for (const p of pods) p.ink = p.how === 1 ? evicted : inks[names.indexOf(r.classes[p.class])] || rest;
    const entry = (ink, text) => { const li = make('li'); li.append(make('span', undefined, 'swatch i' + ink), text); legend.append(li); };
    names.slice(0, inks.length).forEach((name, i) => entry(inks[i], name));
    if (names.length > inks.length) entry(rest, 'other requests');
    if (pods.some((p) => p.how === 1)) entry(evicted, 'evicted');
    legend.setAttribute('aria-label', 'Legend');
    return legend;
  };

  const showNode = (node, share) => {
    const r = view.run, pods = r.pods(node), panel = $('x-node'), title = make('h3', r.names[node] + ' '), g = r.groups[r.group[node]];
    const several = r.devices && r.devices[node] > 0;
    title.append(make('small', groupName(g)));
    const note = make('p', pods.length + (pods.length === 1 ? ' pod' : ' pods') + (r.left[node] ? ', and ' + r.left[node] + ' that stayed for a shorter time and are not shown' : ''), 'note');
    const lanes = [], chart = make('canvas'), clock = make('div', undefined, 'clock'), stays = make('div', undefined, 'stays'), table = make('table', undefined, 'data'), body = make('tbody'), wrap = make('div', undefined, 'scroll tall');
    for (const p of pods) {
      let lane = lanes.findIndex((end) => end <= p.from);
      if (lane < 0) lane = lanes.push(0) - 1;
      lanes[lane] = p.to;
      p.lane = lane;
      const row = make('tr'), name = make('th', p.name);
      name.scope = 'row';
      row.append(name, ...(several ? [make('td', p.held.join(', ') || '–', 'word')] : []), make('td', r.classes[p.class], 'word'), make('td', time(p.from * r.seconds)), make('td', time((p.to - p.from) * r.seconds)), make('td', ['left', 'evicted', 'still there'][p.how], 'word'));
      body.append(row);
    }
    table.append(make('caption', 'Pods of ' + r.names[node], 'hidden'), make('thead'), body);
    table.tHead.append(several ? heading([1, 2, 5], ['pod', 'devices', 'requests', 'from', 'for', 'then']) : heading([1, 4], ['pod', 'requests', 'from', 'for', 'then']));
    wrap.append(table);
    wrap.tabIndex = 0;
    wrap.setAttribute('role', 'region');
    wrap.setAttribute('aria-label', 'Pods of ' + r.names[node]);
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', 'When the pods of ' + r.names[node] + ' were there, in the time that the map shows; the table below has them all');
    clock.setAttribute('aria-hidden', 'true');
    stays.append(chart, clock);
    panel.replaceChildren(title, note, colorStays(pods), stays, ...(several ? [showDevices(node, pods, share)] : []), wrap);
    panel.dataset.node = node;
    strip = () => drawStays(chart, clock, pods, lanes.length);
    strip();
  };

  let drag = null;
  const at = (e) => {
    const box = map.getBoundingClientRect(), x = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width)), y = Math.min(0.9999, Math.max(0, (e.clientY - box.top) / box.height));
    return { x, y, row: view.top + Math.floor(y * (view.bottom - view.top)) };
  };
  map.addEventListener('pointerdown', (e) => { drag = { x: e.offsetX, y: e.offsetY, toX: e.offsetX, toY: e.offsetY, moved: false }; map.setPointerCapture(e.pointerId); });
  map.addEventListener('pointermove', (e) => {
    if (drag) {
      drag.toX = e.offsetX;
      drag.toY = e.offsetY;
      drag.moved ||= Math.abs(drag.toX - drag.x) + Math.abs(drag.toY - drag.y) > 6;
      if (drag.moved) draw();
      return;
    }
    const p = at(e), node = view.list[p.row], share = view.left + p.x * (view.right - view.left);
    if (node === undefined) return;
    const column = Math.min(view.run.columns - 1, Math.floor(share * view.run.columns));
    showTip([[groupName(view.run.groups[view.run.group[node]]), levelWords(levelAt(node, column))]], view.run.names[node] + ', ' + time(share * view.run.seconds), e.clientX, e.clientY);
  });
  map.addEventListener('pointerleave', hideTip);
  map.addEventListener('pointercancel', () => { drag = null; });
  map.addEventListener('pointerup', (e) => {
    const was = drag, box = map.getBoundingClientRect();
    drag = null;
    if (!was || !view.list.length) return;
    if (!was.moved) {
      const p = at(e);
      view.row = p.row;
      draw();
      showNode(view.list[view.row], view.left + p.x * (view.right - view.left));
      return;
    }
    const share = (v, size) => Math.min(1, Math.max(0, v / size)), width = view.right - view.left, rows = view.bottom - view.top;
    const [x0, x1] = [was.x, was.toX].map((v) => share(v, box.width)).sort((a, b) => a - b), [y0, y1] = [was.y, was.toY].map((v) => share(v, box.height)).sort((a, b) => a - b);
    [view.left, view.right] = [view.left + x0 * width, Math.max(view.left + x0 * width + 2 / view.run.columns, view.left + x1 * width)];
    [view.top, view.bottom] = [view.top + Math.floor(y0 * rows), Math.max(view.top + Math.floor(y0 * rows) + 1, view.top + Math.ceil(y1 * rows))];
    hideTip();
    draw();
  });
  map.addEventListener('keydown', (e) => {
    const n = view.list.length;
    if (!n) return;
    const page = Math.max(1, Math.round((view.bottom - view.top) / 10));
    const move = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -n, End: n }[e.key];
    if (move !== undefined) {
      view.row = Math.min(n - 1, Math.max(0, (view.row < 0 ? view.top - (move > 0 ? 1 : 0) : view.row) + move));
      const rows = view.bottom - view.top;
      if (view.row < view.top) [view.top, view.bottom] = [view.row, view.row + rows];
      if (view.row >= view.bottom) [view.top, view.bottom] = [view.row + 1 - rows, view.row + 1];
      draw();
      $('x-where').textContent += '; ' + view.run.names[view.list[view.row]];
    } else if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') {
      const width = view.right - view.left, by = (e.key === 'ArrowLeft' ? -0.1 : 0.1) * width;
      view.left = Math.min(1 - width, Math.max(0, view.left + by));
      view.right = view.left + width;
      draw();
    } else if (e.key === 'Enter' && view.row >= 0) showNode(view.list[view.row], 1);
    else if (e.key === '+' || e.key === '=') zoom(0.5, 0.5, within());
    else if (e.key === '-') zoom(2, 0.5, within());
    else if (e.key === '0' || e.key === 'Escape') choose();
    else return;
    e.preventDefault();
  });

  const open = async (i) => {
    try { runs[i] ||= await unpack(sources[i].textContent); } catch (e) {
      $('x-where').textContent = 'The data of the nodes cannot be read: ' + e.message;
      return;
    }
    const r = view.run = runs[i], keep = $('x-resource').value;
    options($('x-resource'), r.resources.map((name, k) => [k, name]));
    if (keep !== '' && +keep < r.resources.length) $('x-resource').value = keep;
    options($('x-group'), [['', 'all']].concat(r.groups.map((g, k) => [k, groupName(g)])));
    options($('x-names'), r.names.slice(0, 500).map((name) => [name, '']));
    $('x-node').replaceChildren();
    strip = null;
    choose();
    explorer.dataset.ready = i;
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
  new IntersectionObserver((entries, watcher) => {
    if (entries.some((e) => e.isIntersecting)) { watcher.disconnect(); open(0); }
  }, { rootMargin: '600px' }).observe(explorer);
})();
