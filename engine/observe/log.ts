// JSON lines by pino. Only listed fields are written, so no body, token or address can leak.

import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export interface LogOptions {
  readonly level: string;
  /** The writing thread: `front`, `shard-0`, `dispatch-1`. */
  readonly thread: string;
}

const allowed = new Set([
  'evt',
  'requestId',
  'method',
  'route',
  'status',
  'durMs',
  'org',
  'app',
  'partition',
  'epoch',
  'term',
  'seq',
  'channel',
  'outcome',
  'reason',
  'attempt',
  'count',
  'bytes',
  'port',
  'host',
  'url',
  'mode',
  'server',
  'version',
  'node',
  'shards',
  'dispatchers',
  'partitions',
  'code',
  'message',
  'delayMs',
  'pid',
  'entries',
  'path',
  'lagMs',
  'keyId',
]);

/** While whoever reads a pipe is slow. */
const busyPauseMs = 100;

/**
 * Standard output, synchronous, so that the last line before a crash is written. A closed output,
 * or a file on a full disk, loses lines and ends nothing. pino's own destination would keep the
 * lines in memory, and wait for the disk forever at a fatal one.
 */
class LinesOut {
  #isCut = false;

  write(line: string): void {
    const bytes = Buffer.from(this.#isCut ? `\n${line}` : line);
    let at = 0;
    while (at < bytes.length) {
      try {
        at += writeSync(1, bytes, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
      }
    }
    // A line of which only the beginning fitted must not swallow the next one.
    if (at > 0) this.#isCut = at < bytes.length;
  }
}

export function createLog({ level, thread }: LogOptions): Log {
  return pino(
    {
      level,
      base: { thread },
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => {
          const kept: Record<string, unknown> = {};
          for (const [key, value] of Object.entries(fields)) {
            if (key === 'err') kept['err'] = errorFields(value);
            else if (allowed.has(key)) kept[key] = value;
          }
          return kept;
        },
      },
    },
    new LinesOut(),
  );
}

function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) };
  const { name, message, stack } = error;
  return { name, message: message.slice(0, 500), stack: stack?.split('\n').slice(1, 8).join('\n') };
}
