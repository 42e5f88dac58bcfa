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

  // podsOf are the identifiers of the pods of a run that the page tells of, by name and link to their node.
  const podIDs = new Map();
  const podsOf = (run) => {
    if (!podIDs.has(run)) podIDs.set(run, new Map(all('#worst tbody').filter((b) => b.id.startsWith('pod-' + run + '-')).map((b) => [b.dataset.name + ' ' + (b.querySelector('a[href^="#node"]')?.hash || ''), b.id])));
    return podIDs.get(run);
  };

  const showNode = (node, share) => {
    const r = view.run, pods = r.pods(node), panel = $('x-node'), title = make('h3', r.names[node] + ' ');
    const several = r.devices && r.devices[node] > 0;
    title.append(make('small', groupName(node)));
    const note = make('p', pods.length + (pods.length === 1 ? ' pod' : ' pods') + (r.left[node] ? ', and ' + r.left[node] + ' that stayed for a shorter time and are not shown' : ''), 'note');
    const lanes = [], chart = make('canvas'), clock = make('div', undefined, 'clock'), stays = make('div', undefined, 'stays'), table = make('table', undefined, 'data'), body = make('tbody'), wrap = make('div', undefined, 'scroll tall');
    for (const p of pods) {
      let lane = lanes.findIndex((end) => end <= p.from);
      if (lane < 0) lane = lanes.push(0) - 1;
      lanes[lane] = p.to;
      p.lane = lane;
      const row = make('tr'), name = make('th'), target = podsOf(view.number).get(p.name + ' #node-' + view.number + '-' + node);
      name.scope = 'row';
      if (target) { const a = make('a', p.name); a.href = '#' + target; name.append(a); } else name.append(p.name);
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
