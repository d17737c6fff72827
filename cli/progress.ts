// Shows a command's progress: on a terminal one line that changes, elsewhere a line every few
// seconds, always on stderr. Results go to stdout, so that they can be piped.

const clearLine = '\r\u001b[K';
const lineEveryMs = 5_000;

/** Shows progress until `end`. */
export interface CommandProgress {
  show(text: string): void;
  /** Removes the changing line; later output stays. */
  end(): void;
}

/** Progress on stderr. A command that ends within seconds shows none in a log. */
export function progressOnStderr(): CommandProgress {
  const { stderr } = process;
  let isShown = false;
  let shownMs = performance.now();
  return {
    show(text) {
      if (stderr.isTTY) {
        stderr.write(`${clearLine}${text}`);
        isShown = true;
      } else if (performance.now() - shownMs >= lineEveryMs) {
        stderr.write(`${text}\n`);
        shownMs = performance.now();
      }
    },
    end() {
      if (isShown) stderr.write(clearLine);
      isShown = false;
    },
  };
}

/** 1,234,567 bytes in readable form: `1.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
