// What entries of sends mean: receipts are events. A send without devices has its receipt at once.

import type { Millis } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { EventDraft } from '../../events/log/drafts.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  noFacts,
  type WantsName,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import type { Origin, Receipt, TransactionalEntry } from './protocol.ts';

type EntryOf<Kind extends TransactionalEntry['kind']> = Extract<TransactionalEntry, { kind: Kind }>;

type SettledItem = EntryOf<'attempts.settled'>['items'][number];

type EndedItem = SettledItem & { readonly settlement: { readonly next: 'done' } };

const statuses = ['delivered', 'bounced', 'failed', 'suppressed'] as const;

export class SettledFacts extends EntryFacts {
  readonly entry: EntryOf<'attempts.settled'>;
  /** One row each. */
  readonly ended: readonly EndedItem[];
  readonly #rows: CodedRows;

  constructor(entry: EntryOf<'attempts.settled'>) {
    super();
    this.entry = entry;
    const ended = entry.items.filter(isEnded);
    const people = new Uint32Array(ended.length);
    const codes = new Uint8Array(ended.length);
    for (let row = 0; row < ended.length; row++) {
      const { person, status } = (ended[row] as EndedItem).settlement.receipt;
      people[row] = person;
      codes[row] = statuses.indexOf(status);
    }
    this.ended = ended;
    this.#rows = new CodedRows(statuses, codes, people, entry.atMs);
  }

  override rows(): FactRows {
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.entry.atMs;
  }

  override channel(): ChannelId {
    return this.entry.channel;
  }

  override mayEnroll(row: number): boolean {
    return this.ended[row]?.origin?.journeyId === undefined;
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { atMs, firstEvent } = this.entry;
    const channel = channelIds.indexOf(this.entry.channel) + 1;
    const drafts: NumberedDraft[] = [];
    this.ended.forEach(({ sendId, deviceId, settlement, origin }, i) => {
      const { status: name, person } = settlement.receipt;
      if (wants?.(name) === false) return;
      const metaJson = receiptMeta(settlement.receipt, origin?.journeyId);
      const of = origin === undefined ? undefined : referencesOf(origin);
      const seq = firstEvent + i;
      drafts.push({ seq, name, person, atMs, sendId, deviceId, channel, metaJson, ...of });
    });
    return drafts;
  }
}

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
  'attempts.settled': (entry: EntryOf<'attempts.settled'>) => new SettledFacts(entry),
  'send.redriven': ({ origin }: EntryOf<'send.redriven'>) =>
    origin === undefined ? noFacts : new RedrivenFacts(origin),
};

export function receiptMeta(
  { reason, detail, attempts, providerMessageId, test }: Omit<Receipt, 'person' | 'status'>,
  journeyId?: string,
): string {
  return JSON.stringify({ reason, detail, attempts, providerMessageId, journeyId, test });
}

function isEnded(item: SettledItem): item is EndedItem {
  return item.settlement.next === 'done';
}

function referencesOf({
  campaignId,
  journeyId,
  messageId,
}: Omit<Origin, 'copy'>): Partial<EventDraft> {
  return {
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(journeyId === undefined ? {} : { journeyId }),
    ...(messageId === undefined ? {} : { messageId }),
  };
}
