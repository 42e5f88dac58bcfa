  // The nodes of one run, unpacked.
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const data = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = data.indexOf(10), run = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
    let at = end + 1;
    run.levels = data.subarray(at, at += run.names.length * run.resources.length * run.columns);
    run.rowLevels = run.groupings.map((g) => run.resources.map(() => g.rows.map(() => data.subarray(at, at += run.columns))));
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
