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
    showTip([[groupName(node), levelWords(levelAt(node, column))]], view.run.names[node] + ', ' + time(share * view.run.seconds), e.clientX, e.clientY);
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
