// Where calls go: their URLs, parsed and judged. Most calls of a thread go to few URLs, and what a
// URL is depends on its text alone, so the newest are remembered.

import { judgeUrl } from './network-guard.ts';
import type { OutboundCall, OutboundResult } from './outbound-call.ts';

export interface CallTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Of the connections that calls to it share. */
  readonly originKey: string;
  /** With its query. */
  readonly path: string;
}

const rememberedMax = 256;

export class Targets {
  readonly #allowPrivate: boolean;
  readonly #remembered = new Map<string, CallTarget | OutboundResult>();

  constructor(allowPrivate: boolean) {
    this.#allowPrivate = allowPrivate;
  }

  /** The target of a call, or why it is not called. */
  of({ destination, url }: OutboundCall): CallTarget | OutboundResult {
    const name = `${destination} ${url}`;
    let target = this.#remembered.get(name);
    if (target === undefined) {
      target = this.#judged(destination, url);
      if (this.#remembered.size === rememberedMax) this.#remembered.clear();
      this.#remembered.set(name, target);
    }
    return target;
  }

  #judged(destination: OutboundCall['destination'], text: string): CallTarget | OutboundResult {
    const url = destination === 'guarded' ? guarded(text, this.#allowPrivate) : trusted(text);
    if (!(url instanceof URL)) return url;
    const { origin, pathname, search } = url;
    return { origin, originKey: `${destination} ${origin}`, path: pathname + search };
  }
}

function guarded(text: string, allowPrivate: boolean): URL | OutboundResult {
  const verdict = judgeUrl(text, allowPrivate);
  return 'refused' in verdict ? { kind: 'refused', reason: verdict.refused } : verdict.url;
}

function trusted(text: string): URL | OutboundResult {
  return /^https?:/i.test(text) && URL.canParse(text)
    ? new URL(text)
    : { kind: 'unsent', reason: 'invalid_request' };
}
