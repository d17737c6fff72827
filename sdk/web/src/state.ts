// What the SDK remembers of one app, as plain data: the people of this device and what is still to
// be told to the server about them. The last person is the one who uses the page now; those before
// have logged out and stay until their events are sent.

import type { Problem } from './problem.ts';

type TagValue = string | number | boolean | null | readonly string[];
export type Tags = Readonly<Record<string, TagValue>>;

export interface Claim {
  readonly externalUserId: string;
  readonly identityHash?: string;
}

/** A login that was or may have been sent. The same key and body get the same answer again. */
export interface Attempt {
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly claim?: Claim;
}

export interface Device {
  readonly channel: string;
  readonly endpoint: unknown;
  /** Set once the server has registered it for this person. */
  readonly id?: string;
}

export interface Person {
  /** Which of this device's people; rises. */
  readonly n: number;
  /** The id of the server. */
  id?: string;
  token?: string;
  externalUserId?: string;
  /** A login with a hash proved it. */
  isProven?: boolean;
  /** A login that `login` asked for and that has not ended. */
  wants?: Claim;
  attempt?: Attempt;
  /** Why the last `login` failed. */
  refused?: Problem & { readonly externalUserId: string };
  /** Without time zone and language, because the server knows one of them not. */
  isPlain?: boolean;
  /** When the server last answered a login, by this device's clock. */
  seenMs?: number;
  /** Tags that are to be sent. */
  tags?: Record<string, TagValue>;
  device?: Device;
  /** Devices that are to be unregistered. */
  former?: string[];
  isGone?: boolean;
}

export interface Flag {
  readonly enabled: boolean;
  readonly variant?: string;
}

export interface State {
  people: Person[];
  /** The key of the next event. */
  nextKey: number;
  /** Of the queue. */
  events: number;
  bytes: number;
  /** Whose a device was, by its id, for what is told of an older notification. The newest last. */
  owners?: (readonly [deviceId: string, subscriberId: string])[];
  /** How often in-app messages showed themselves on this device. */
  shows?: Record<string, { readonly count: number; readonly lastMs: number }>;
  /** What was marked in the inbox and waits among the events. */
  marks?: { readonly n: number; readonly read: string[]; readonly archive: string[] };
  /** The last answer about flags, and of whom it is. */
  flags?: {
    readonly n: number;
    readonly etag: string | null;
    readonly of: Readonly<Record<string, Flag>>;
  };
}

/** What the service worker needs to know; the last page that called `init` writes it. */
export interface WorkerNote {
  readonly appId: string;
  readonly baseUrl: string;
  readonly ingestUrl?: string;
  readonly vapidPublicKey?: string | null;
}

/** The key of that note beside the states of apps. */
export const workerKey = 'worker';

export function newState(): State {
  return { people: [{ n: 1 }], nextKey: 1, events: 0, bytes: 0 };
}

export function currentOf(state: State): Person {
  return state.people.at(-1) as Person;
}

/** Undefined for one who was forgotten. */
export function personOf(state: State, n: number | undefined): Person | undefined {
  return state.people.find((one) => one.n === n);
}
