// An outbound HTTP call, and its result: whether the server can have seen anything.

import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import type { RefusedReason } from './network-guard.ts';
import type { PiecedBody } from './pieced-body.ts';

/** Redirects are never followed, and compression is never requested. */
export interface OutboundCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly destination: 'trusted' | 'guarded';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | PiecedBody;
  /** From queueing to the last byte; default 10 s. */
  readonly timeoutMs?: Millis;
  /** How much of the response is read, if the default is too little. */
  readonly answerBytesMax?: Bytes;
  /** The response is a file: it is read as bytes, not as text. */
  readonly wantsBytes?: true;
  /** Asked once a connection is free and nothing is written; false ends the call as `unsent`. */
  readonly mayBegin?: (() => boolean) | undefined;
}

export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names; a repeated header is a list. */
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      /** At most 16 KiB, read as UTF-8. */
      readonly body: string;
      /** Instead of `body`, for a call that wants bytes. */
      readonly bytes?: Uint8Array;
      /** False if the limit, the deadline or the server cut the body. The status still counts. */
      readonly complete: boolean;
      /** What cut it: too many bytes, the deadline, or the server. */
      readonly cut?: 'limit' | 'timeout' | 'connection';
    }
  /** The guard refused the address. Nothing was or will be sent to it. */
  | { readonly kind: 'refused'; readonly reason: RefusedReason }
  /** No byte of the request was written: repeating it is safe. */
  | {
      readonly kind: 'unsent';
      readonly reason:
        | 'connect'
        | 'dns'
        | 'tls'
        | 'timeout'
        | 'saturated'
        | 'closed'
        | 'recalled'
        | 'invalid_request';
    }
  /** Bytes were written and no status came back: the server may have acted. */
  | {
      readonly kind: 'unanswered';
      readonly reason: 'timeout' | 'connection_lost' | 'answer_too_large';
    };

export interface Outbound {
  readonly allowPrivateNetworks: boolean;
  /** Makes one call. Never rejects. */
  call(call: OutboundCall): Promise<OutboundResult>;
  /** Accepts no more calls, waits up to `graceMs` (10 s) for those in flight, then closes. */
  close(graceMs?: Millis): Promise<void>;
}

export function isTlsErrorCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code);
}
