// Data come as script files, each handing over compressed JSON; a page loads only what it shows.
"use strict";
const plumbline = (() => {
  const taken = new Map();
  const loading = new Map();
  const root = () => document.body.dataset.root;

  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `${root()}${name}.js`;
        script.onload = () => (taken.has(name) ? resolve(taken.get(name)) : reject(new Error(`${name}.js holds other data`)));
        script.onerror = () => reject(new Error(`${name}.js is not there: build it, or copy the whole folder`));
        document.head.append(script);
      }));
    }
    return loading.get(name);
  }

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  const whole = new Map();
  return {
    take: (name, content) => taken.set(name, content),
    // All that a file holds.
    get: (name) => {
      if (!whole.has(name)) whole.set(name, load(name).then(unpack));
      return whole.get(name);
    },
    // One of the parts that a file holds.
    part: async (name, key) => {
      const parts = await load(name);
      return Object.hasOwn(parts, key) ? unpack(parts[key]) : null;
    },
  };
})();
