// JSON lines by pino. Only listed fields are written, so no body, token or address can leak.

import { destination, type Logger, pino } from 'pino';

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

/**
 * Synchronous, so that the last line before a crash is written. A closed output loses lines and
 * ends nothing.
 */
export function createLog({ level, thread }: LogOptions): Log {
  const output = destination({ fd: 1, sync: true });
  output.on('error', () => undefined);
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
    output,
  );
}

function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) };
  const { name, message, stack } = error;
  return { name, message: message.slice(0, 500), stack: stack?.split('\n').slice(1, 8).join('\n') };
}
