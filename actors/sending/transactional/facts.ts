// What entries of transactional sends mean. A send without devices has its receipt at once.

import type { Millis } from '../../../engine/base/brand.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  noFacts,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import { receiptMeta } from '../outbox/facts.ts';
import type { Origin } from '../outbox/records.ts';
import type { TransactionalEntry } from './protocol.ts';

type EntryOf<Kind extends TransactionalEntry['kind']> = Extract<TransactionalEntry, { kind: Kind }>;

class NoDeviceFacts extends EntryFacts {
  readonly #entry: EntryOf<'send.queued'>;

  constructor(entry: EntryOf<'send.queued'>) {
    super();
    this.#entry = entry;
  }

  override rows(): FactRows {
    const { person, atMs } = this.#entry;
    return new CodedRows(['suppressed'], undefined, Uint32Array.of(person), atMs);
  }

  override acceptedMs(): Millis {
    return this.#entry.atMs;
  }

  override drafts(): readonly NumberedDraft[] {
    const { person, atMs, sendId, test, firstEvent: seq } = this.#entry;
    const metaJson = receiptMeta({ reason: 'no_device', attempts: 0, ...(test && { test }) });
    return [{ seq, name: 'suppressed', person, atMs, sendId, metaJson }];
  }
}

/** A failed send is open again. No event. */
export class RedrivenFacts extends EntryFacts {
  readonly origin: Origin;

  constructor(origin: Origin) {
    super();
    this.origin = origin;
  }
}

export const transactionalFacts = {
  'send.queued': (entry: EntryOf<'send.queued'>) =>
    entry.targets.length > 0 ? noFacts : new NoDeviceFacts(entry),
  'send.redriven': ({ origin }: EntryOf<'send.redriven'>) =>
    origin === undefined ? noFacts : new RedrivenFacts(origin),
};
