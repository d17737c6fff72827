// A log for a process that hardly ever logs: pino is loaded with the first line, not before. Only
// for the primary.

import type { Log, LogOptions } from './log.ts';

/** What the primary needs of a log. */
export type ErrorLog = Pick<Log, 'error'>;

/** A log whose first line loads the real one; lines keep their order. */
export function lazyLog(options: LogOptions): ErrorLog {
  let loading: Promise<Log> | undefined;
  const write = (...line: unknown[]) => {
    loading ??= import('./log.ts').then(({ createLog }) => createLog(options));
    void loading.then((log) => (log.error as (...line: unknown[]) => void)(...line));
  };
  return { error: write as ErrorLog['error'] };
}
