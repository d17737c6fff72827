// A call to the outside, and how it ended: whether the other side can have seen anything.

import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import type { RefusedReason } from './network-guard.ts';

/** One call. Redirects are never followed, and compressed answers are never asked for. */
export interface OutboundCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly destination: 'trusted' | 'guarded';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole call, from queueing to the last byte; 10 s unless told. */
  readonly timeoutMs?: Millis;
  /** How much of the answer is read, where that is more than of others. */
  readonly answerBytesMax?: Bytes;
}

/** What came of a call. */
export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case; a repeated header is a list. */
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      /** At most 16 KiB, read as UTF-8. */
      readonly body: string;
      /**
       * False when the body was cut: by the cap, by the deadline, or by the other side. The status
       * still counts.
       */
      readonly complete: boolean;
    }
  /** The guard said no. Nothing was sent, and nothing ever will be to this address. */
  | { readonly kind: 'refused'; readonly reason: RefusedReason }
  /** No byte of the request was written: repeating it cannot do anything twice. */
  | {
      readonly kind: 'unsent';
      readonly reason:
        | 'connect'
        | 'dns'
        | 'tls'
        | 'timeout'
        | 'saturated'
        | 'closed'
        | 'invalid_request';
    }
  /** Bytes were written and no status came back: the other side may have acted. */
  | { readonly kind: 'unanswered'; readonly reason: 'timeout' | 'connection_lost' };

export interface Outbound {
  readonly allowPrivateNetworks: boolean;
  /** Makes one call and resolves with what came of it. Never rejects. */
  call(call: OutboundCall): Promise<OutboundResult>;
  /**
   * Takes no more calls, lets those in flight end within `graceMs` (10 s), and closes the
   * connections.
   */
  close(graceMs?: Millis): Promise<void>;
}

/** Whether a connection failed over TLS, from the code that Node or OpenSSL gives. */
export function isTlsErrorCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code);
}
