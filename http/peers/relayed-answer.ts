// An owner's answer on its way to the client: whole where its length is known, else piece by piece
// and no faster than the client reads.

import type { Bytes } from '../../engine/base/brand.ts';
import type { PeerFlow, PeerHeaders, PeerSink } from '../../engine/peers/peer-call.ts';
import type { HeaderList, HttpResponder } from '../server/exchange.ts';
import { headersToClient } from './forwarded-head.ts';

/** Longer ones are sent piece by piece. */
const wholeBytesMax: Bytes = 1_048_576;
/** The other server does not own what the request is for, and has done nothing. */
const misdirected = 421;

interface Ends {
  relayed(): void;
  /** Nobody has done anything about the request. */
  unseen(): void;
  /** The answer did not begin, and what became of the request is not known. */
  unanswered(): void;
}

export class RelayedAnswer implements PeerSink {
  readonly #method: string;
  readonly #response: HttpResponder;
  readonly #ends: Ends;
  #status = 0;
  #headers: HeaderList = [];
  #flow: PeerFlow | undefined;
  /** Of an answer that is sent whole. */
  #parts: Uint8Array[] | undefined;
  #isOver = false;

  constructor(method: string, response: HttpResponder, ends: Ends) {
    this.#method = method;
    this.#response = response;
    this.#ends = ends;
    response.onAborted(() => this.#abort());
  }

  head(status: number, headers: PeerHeaders, flow: PeerFlow): void {
    this.#flow = flow;
    this.#status = status;
    if (this.#response.aborted) {
      this.#abort();
      return;
    }
    if (status === misdirected) return;
    this.#headers = headersToClient(headers);
    const length = headers['content-length'];
    const isBodiless = status === 204 || status === 304;
    if (isBodiless || (typeof length === 'string' && Number(length) <= wholeBytesMax)) {
      this.#parts = [];
      return;
    }
    const response = this.#response;
    response.begin(status, this.#headers);
    if (this.#method === 'HEAD') {
      response.end();
      this.#abort();
      this.#ends.relayed();
      return;
    }
    response.onDrain(() => flow.resume());
  }

  part(bytes: Uint8Array): void {
    if (this.#isOver || this.#status === misdirected) return;
    if (this.#parts !== undefined) this.#parts.push(bytes);
    else if (!this.#response.write(bytes)) this.#flow?.pause();
  }

  end(): void {
    if (!this.#isEnding()) return;
    if (this.#status === misdirected) this.#ends.unseen();
    else {
      if (this.#parts === undefined) this.#response.end();
      else this.#response.send(this.#status, this.#headers, Buffer.concat(this.#parts));
      this.#ends.relayed();
    }
  }

  failed(how: 'unsent' | 'unanswered'): void {
    if (!this.#isEnding()) return;
    const hasBegun = this.#status !== 0 && this.#parts === undefined;
    if (how === 'unsent' || this.#status === misdirected) this.#ends.unseen();
    else if (hasBegun) {
      // Half an answer must not look whole.
      this.#response.cut();
      this.#ends.relayed();
    } else this.#ends.unanswered();
  }

  /** True once. */
  #isEnding(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }

  #abort(): void {
    this.#isOver = true;
    this.#flow?.abort();
  }
}
