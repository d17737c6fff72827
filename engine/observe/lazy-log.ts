// A log that loads pino with the first line. Only for the primary.

import type { Log, LogOptions } from './log.ts';

export type ErrorLog = Pick<Log, 'error'>;

/** Lines keep their order. */
export function lazyLog(options: LogOptions): ErrorLog {
  let loading: Promise<Log> | undefined;
  const write = (...line: unknown[]) => {
    loading ??= import('./log.ts').then(({ createLog }) => createLog(options));
    void loading.then((log) => (log.error as (...line: unknown[]) => void)(...line));
  };
  return { error: write as ErrorLog['error'] };
}
