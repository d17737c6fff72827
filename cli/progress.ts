// How a command shows how far it is: on a terminal one line that changes, elsewhere a line every
// few seconds, always on stderr. What a command finds goes to stdout, so that it can be piped on.

const clearLine = '\r\u001b[K';
const lineEveryMs = 5_000;

/** Shows progress until `end`. */
export interface CommandProgress {
  show(text: string): void;
  /** Takes the changing line away; what is printed from here on stays. */
  end(): void;
}

/** Progress on stderr. A command that is done within seconds shows none in a log. */
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

/** 1,234,567 bytes as a person reads them: `1.2 MB`. */
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
