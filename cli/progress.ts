// A command's progress on stderr: one changing line on a terminal, else a line every few seconds.
// Results go to stdout for pipes.

const clearLine = '\r\u001b[K';
const lineEveryMs = 5_000;

export interface CommandProgress {
  show(text: string): void;
  /** Removes the changing line; later output stays. */
  end(): void;
}

/** A command that ends within seconds shows none in a log. */
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

/** 1,234,567 as `1.2 MB`. */
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
