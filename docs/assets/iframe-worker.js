/* Search without a server.
 *
 * Browsers start no Web Worker for a page opened from disk (file://). The search of this site is a
 * worker. On such pages, this class runs the worker's script in a hidden frame instead.
 */
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.inner = this.frame.contentWindow;
      this.inner.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
      const script = this.inner.document.createElement("script");
      script.src = url;
      script.onload = () => this.start();
      script.onerror = (event) => this.onerror?.(event);
      this.inner.document.body.append(script);
    }

    start() {
      const waiting = this.waiting;
      this.waiting = null;
      waiting.forEach((data) => this.postMessage(data));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else setTimeout(() => this.inner.onmessage?.({ data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
