// Hear that something is new: by server-sent events, and by asking where those do not come.

const ASK_EVERY_MS = 2000;
const LEAST_MS = 900; // between two pieces of news that are acted on

// `onNews` is called when there may be something new, `onState` with "live", "asking" or "gone".
export function listen(address, onNews, onState) {
  let source = null;
  let timer = 0;
  let last = 0;
  let opened = false;

  async function act() {
    const now = Date.now();
    if (document.hidden || now - last < LEAST_MS) return;
    last = now;
    try {
      await onNews();
      onState(opened ? "live" : "asking");
    } catch (trouble) {
      onState("gone");
      fallBack();
    }
  }

  function fallBack() {
    opened = false;
    source?.close();
    clearInterval(timer);
    timer = setInterval(poll, ASK_EVERY_MS);
  }

  async function poll() {
    await act();
    if (last && !opened && source?.readyState !== EventSource.CONNECTING) connect();
  }

  function connect() {
    source?.close();
    source = new EventSource(address);
    source.onopen = () => {
      opened = true;
      clearInterval(timer);
      act();
    };
    source.onmessage = act;
    source.onerror = () => {
      fallBack();
      act();
    };
  }

  document.addEventListener("visibilitychange", () => !document.hidden && act());
  connect();
}
