  const explorer = $('explorer'), sources = all('.nodes');
  let openNode = null; // shows a node of a run
  // follow shows what a link within the page leads to: a pod with its story, a node with its pods.
  const follow = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1))), [kind, run, number] = location.hash.slice(1).split('-');
    if (target) {
      const table = target.closest('table[data-first]');
      if (kind === 'pod') showPod(target);
      if (target.matches('.beyond')) unfold(table);
    }
    if (kind === 'node' && number && openNode) openNode(+run, +number);
    else if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', (e) => { if (e.target.closest('a')?.hash === location.hash) follow(); }); // which changes nothing
  if (!explorer || typeof DecompressionStream === 'undefined') { follow(); return; }
