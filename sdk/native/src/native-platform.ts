// The platform of a phone whose app is JavaScript: storage of texts, `fetch`, timers, and when the
// app comes to the front or leaves it. An app runs in one process, so no other one must be told.

import type { Platform } from '../../web/src/platform.ts';
import { problem } from '../../web/src/problem.ts';
import { type KeyValueStorage, keyValueStore } from './key-value-store.ts';

const callMsMax = 30_000;

export interface NativeParts {
  readonly storage: KeyValueStorage;
  /** Calls back when the app leaves the screen, is shown, and has a network again. */
  watch(told: { hidden(): void; shown(): void; online(): void }): () => void;
  /** Such as `th` or `pt-BR`; by default what `Intl` says. */
  readonly language?: string | undefined;
  /** In place of what the system has: for tests. */
  readonly instead?: Partial<
    Pick<
      Platform,
      'send' | 'now' | 'monotonic' | 'uuid' | 'random' | 'after' | 'timezone' | 'language'
    >
  >;
}

export function nativePlatform({ storage, watch, language, instead }: NativeParts): Platform {
  const locks = new Map<string, Promise<unknown>>();
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  return {
    store: (name) => keyValueStore(storage, name),
    send,
    locked(name, work) {
      const result = (locks.get(name) ?? Promise.resolve()).then(work);
      locks.set(
        name,
        result.catch(() => undefined),
      );
      return result;
    },
    tell: () => undefined,
    listen: () => () => undefined,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    uuid,
    random: () => Math.random(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    watch,
    isOffline: false,
    timezone: timeZone,
    language: language ?? locale,
    ...instead,
  };
}

const send: Platform['send'] = async ({ method, url, headers, body }) => {
  // `AbortSignal.timeout` is not everywhere.
  const aborting = new AbortController();
  const timer = setTimeout(() => aborting.abort(), callMsMax);
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: aborting.signal,
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  } finally {
    clearTimeout(timer);
  }
};

/** The key of a login is a secret, so nothing that can be guessed will do. */
function uuid(): string {
  const { crypto } = globalThis as {
    readonly crypto?: {
      randomUUID?(): string;
      getRandomValues?(bytes: Uint8Array): Uint8Array;
    };
  };
  if (crypto?.randomUUID) return crypto.randomUUID();
  if (crypto?.getRandomValues === undefined)
    throw problem('unsupported', 'crypto.getRandomValues is missing: import a polyfill first');
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
