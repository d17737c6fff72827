// Calls between servers of a cluster. Who calls learns whether the other server can have seen the
// call.

import type { Bytes, Millis } from '../base/brand.ts';

export interface PeerCall {
  /** `host:port` of its internal port. */
  readonly address: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Until the head of the answer; then between two parts of it. */
  readonly timeoutMs: Millis;
  /** Its answer may last for minutes: it takes no connection that others wait for. */
  readonly isLong?: boolean;
}

export type PeerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Hears of an answer as it comes: one `head`, parts, then `end` or `failed`. */
export interface PeerSink {
  head(status: number, headers: PeerHeaders, flow: PeerFlow): void;
  part(bytes: Uint8Array): void;
  end(): void;
  /** `unsent`: nobody has seen the call. `unanswered`: it may have been done. */
  failed(how: 'unsent' | 'unanswered'): void;
}

/** Of the answer that is on its way. */
export interface PeerFlow {
  pause(): void;
  resume(): void;
  /** Nobody wants the rest. */
  abort(): void;
}

export interface PeerClient {
  call(call: PeerCall, sink: PeerSink): void;
  /** The whole answer, of at most this many bytes. */
  ask(call: PeerCall, bytesMax?: Bytes): Promise<PeerAnswer>;
  close(): Promise<void>;
}

export type PeerAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unanswered' };
