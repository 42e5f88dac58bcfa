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
