// Lets the search of the theme work on pages that are opened from the disk. A browser forbids such a page to fetch the index and to
// start a worker, so both come as scripts, and a frame without content runs the worker's script.
if (location.protocol === "file:") {
  const base = new URL(JSON.parse(document.getElementById("__config").textContent).base + "/", location);
  const load = (path) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(path, base);
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  window.__search = { index: load("search/search_index.js").then(() => window.__index) };

  window.Worker = class extends EventTarget {
    constructor() {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      this.ready = load("search/worker.js").then(() => {
        document.body.append(frame);
        const inside = frame.contentWindow;
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        const script = frame.contentDocument.createElement("script");
        script.textContent = window.__worker;
        frame.contentDocument.head.append(script);
        return inside;
      });
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
