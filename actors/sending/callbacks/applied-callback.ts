// The reports of one callback, applied and counted.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
} from '../../../engine/actor/message.ts';
import { otherForms } from '../../channels/addresses/phone-forms.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { CallbackItem } from '../../channels/port/callback-item.ts';
import type { CallbackCounts } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import { identityKey } from '../../people/audience/identity.ts';
import type { CallbacksView } from './memory.ts';
import { OptOuts } from './opt-outs.ts';
import { ReportedSends, type ReportResult } from './reported-sends.ts';

type MovedItem = Extract<CallbackItem, { kind: 'moved' }>;

export class AppliedCallback {
  readonly sends: ReportedSends;
  readonly optOuts: OptOuts;
  readonly #counts: Record<ReportResult, number> = { taken: 0, repeated: 0, ignored: 0 };

  constructor(app: CallbacksView, context: Context) {
    this.sends = new ReportedSends(app, context);
    this.optOuts = new OptOuts(app, context, this.sends.answered());
  }

  count(result: ReportResult): void {
    this.#counts[result]++;
  }

  /**
   * Returns where to continue, `null` at the end. Each part reads the whole body, so unknown items
   * (up to 350,000 in a mebibyte) are counted with the first part only.
   */
  part(channel: ChannelId, items: readonly CallbackItem[], from: number): number | null {
    const known = items.filter(({ kind }) => kind !== 'unknown');
    if (from === 0) this.#counts.ignored += items.length - known.length;
    const end = from + limits.callbackItemsMax;
    for (const item of known.slice(from, end)) this.item(channel, item);
    return end < known.length ? end : null;
  }

  item(channel: ChannelId, item: CallbackItem): void {
    this.count(this.#apply(channel, item));
  }

  decision<More extends object>(
    more?: More,
    others: readonly Entry[] = [],
  ): Decision<CallbackCounts & More> {
    const entries = [...this.sends.entries(), ...others];
    const optOuts = this.optOuts.entries();
    const reply = { ...this.#counts, ...more } as CallbackCounts & More;
    if (entries.length + optOuts.length === 0) return accepted(reply);
    return accepted(reply, {
      entries: [...entries, ...optOuts],
      documents: [...this.sends.documents(), ...this.optOuts.documents()],
    });
  }

  #apply(channel: ChannelId, item: CallbackItem): ReportResult {
    switch (item.kind) {
      case 'status': {
        for (const address of item.addresses.length === 0 ? [undefined] : item.addresses) {
          const result = this.sends.applyNamed(channel, item, address, item.news);
          if (result !== 'ignored') return result;
        }
        return 'ignored';
      }
      case 'inbound':
        return this.optOuts.apply(channel, item, item.atMs);
      case 'moved':
        return this.#move(channel, item);
      case 'unknown':
        return 'ignored';
    }
  }

  /** The device gets the new number, unless another has it, and an opt-out comes along. */
  #move(channel: ChannelId, { id, from, to }: MovedItem): ReportResult {
    const newForm = [to, ...otherForms(to)].find((form) => identityKey(channel, form));
    const toKey = newForm && identityKey(channel, newForm);
    const device = this.sends.deviceAt(channel, from);
    if (newForm === undefined || toKey === undefined) return 'ignored';
    const result = this.optOuts.follow(channel, { id, from }, toKey);
    if (result === 'taken' && device !== undefined) this.sends.changeNumber(device, newForm);
    return result;
  }
}
