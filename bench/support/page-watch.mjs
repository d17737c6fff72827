// Runs in a page before its own scripts: says when what was asked for is painted, and keeps what
// the browser tells of long tasks and of shifts that no input caused. Times are in ms.

const watched = {
  /** Durations of tasks of more than 50 ms. */
  longTasks: [],
  shift: 0,
  /** When the last key or pointer went down. */
  inputAt: 0,
  /** From the last input until `isThere` holds and the frame that shows it has been drawn. */
  painted: (isThere) =>
    new Promise((resolve) => {
      const observer = new MutationObserver(look);
      const everything = { childList: true, attributes: true, characterData: true };
      observer.observe(document, { subtree: true, ...everything });
      look();
      function look() {
        if (!isThere()) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - watched.inputAt);
          port2.postMessage(undefined);
        });
      }
    }),
  /** Times between frames until `end` is called. */
  frames() {
    const times = [];
    let last = performance.now();
    let isOver = false;
    requestAnimationFrame(function next(now) {
      times.push(now - last);
      last = now;
      if (!isOver) requestAnimationFrame(next);
    });
    watched.endFrames = () => {
      isOver = true;
      return times.slice(1);
    };
  },
};
globalThis.watched = watched;

for (const kind of ['pointerdown', 'keydown'])
  addEventListener(
    kind,
    ({ timeStamp }) => {
      watched.inputAt = timeStamp;
    },
    true,
  );
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) watched.longTasks.push(duration);
}).observe({ type: 'longtask', buffered: true });
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries())
    if (!hadRecentInput) watched.shift += value;
}).observe({ type: 'layout-shift', buffered: true });
