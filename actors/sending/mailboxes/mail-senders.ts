// The sender domain and the relay of each mail of one occurrence or step, so that a bounce or a
// complaint days later counts for the right one. While all mails have the same, nothing is kept for
// a person. Otherwise it is a byte for each, in pages of 4,096 people, and no page for those whose
// mails are all like the first.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';
import type { Sender } from './figures.ts';

/** Of more, it is forgotten who sent which mail: codes are bytes. */
const mailSendersMax = 255;
const forgotten = 255;

export interface MailSendersSnapshot {
  /** In the order of their first mails. */
  readonly senders: readonly Sender[];
  /** By person: the index in `senders`. */
  readonly by: PagedBytesSnapshot;
}

export class MailSenders {
  readonly #senders: Sender[] = [];
  #by = new PagedBytes();

  /** Bytes that are kept of people. */
  get byteLength(): number {
    return this.#by.byteLength;
  }

  get isEmpty(): boolean {
    return this.#senders.length === 0;
  }

  /** Asked of a person that no mail is known of, it may name somebody all the same. */
  of(person: PersonOrdinal): Sender | undefined {
    return this.#senders[this.#by.get(person)];
  }

  /** The newest mail to a person counts. */
  note(people: Iterable<PersonOrdinal>, { domain, relay }: Sender): void {
    const code = this.#codeOf(domain, relay);
    for (const person of people) this.#by.set(person, code);
  }

  merge(from: PersonOrdinal, into: PersonOrdinal, isNewer: boolean): void {
    if (isNewer) this.#by.set(into, this.#by.get(from));
    this.#by.set(from, 0);
  }

  snapshot(): MailSendersSnapshot {
    return { senders: [...this.#senders], by: this.#by.snapshot() };
  }

  /** Checkpoints of earlier builds have none. */
  static restore(from: MailSendersSnapshot | undefined): MailSenders {
    const kept = new MailSenders();
    if (from === undefined) return kept;
    kept.#senders.push(...from.senders);
    kept.#by = PagedBytes.restore(from.by);
    return kept;
  }

  #codeOf(domain: string, relay: string): number {
    const known = this.#senders.findIndex((one) => one.domain === domain && one.relay === relay);
    if (known >= 0) return known;
    if (this.#senders.length === mailSendersMax) return forgotten;
    return this.#senders.push({ domain, relay }) - 1;
  }
}
