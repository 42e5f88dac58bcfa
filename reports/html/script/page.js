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
