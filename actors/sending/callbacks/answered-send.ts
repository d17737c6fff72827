// Which message somebody answers who opts out by a word, a preference or a block: the one that the
// callback names, else the newest of campaigns and journeys to that device, as far as memory and
// the device's row know it.

import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';
import type { KeptSend } from '../../../storage/tables/device-send.ts';
import type { EndpointRow } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Inbound } from '../../channels/port/callback-item.ts';
import { type AboutSend, aboutSend, type MessageNamed } from '../../people/about-send.ts';
import { campaignSendParts } from '../campaign-send-id.ts';
import type { DeviceSends } from '../outbox/device-sends.ts';
import type { SendFinder } from './find-send.ts';
import { type CallbacksView, marketingSend } from './memory.ts';

/** Whoever leaves later answers no message. */
const answersMs: Millis = 14 * dayMs;

interface Reads {
  readonly owner: Context['owner'];
  readonly finder: Pick<SendFinder, 'of' | 'deviceAt'>;
  readonly deviceSends: Pick<DeviceSends, 'of'>;
}

type Send = Omit<MessageNamed, 'deviceId'>;

type Dated = Send & { readonly atMs: Millis };

/** Finds the messages that the people of one callback answer. */
export class AnsweredSends {
  readonly #app: CallbacksView;
  readonly #reads: Reads;

  constructor(app: CallbacksView, reads: Reads) {
    this.#app = app;
    this.#reads = reads;
  }

  /** `undefined` if nothing is known to have been sent there in the 14 days before. */
  of(
    channel: ChannelId,
    { from, answers }: Pick<Inbound, 'from' | 'answers'>,
    writtenMs: Millis,
  ): AboutSend | undefined {
    const device = this.#reads.finder.deviceAt(channel, from);
    if (device === undefined) return undefined;
    const { deviceId } = device;
    const { sends } = this.#reads.deviceSends.of(deviceId);
    const send =
      this.#named(channel, device, sends, answers) ??
      this.#newest(channel, device, sends, writtenMs);
    return send && aboutSend(this.#app, { ...send, deviceId });
  }

  /** A button's data passes through the person's phone: it must be a message of their own. */
  #named(
    channel: ChannelId,
    { deviceId, person }: EndpointRow,
    sends: readonly KeptSend[],
    answers: Inbound['answers'],
  ): Send | undefined {
    if (answers === undefined) return undefined;
    if ('name' in answers) {
      const kept = sends.findLast((one) => one.name === answers.name);
      return kept && sendOf(kept);
    }
    const { sendId } = answers;
    if (answers.deviceId !== deviceId) return undefined;
    const kept = sends.findLast((one) => one.sendId === sendId);
    if (kept !== undefined) return sendOf(kept);
    const found = this.#reads.finder.of({ sendId, deviceId, channel });
    return found?.person === this.#app.people.canonical(person) ? { sendId } : undefined;
  }

  /** Marketing comes first: it is what people leave by. */
  #newest(
    channel: ChannelId,
    { person: who }: EndpointRow,
    sends: readonly KeptSend[],
    untilMs: Millis,
  ): Send | undefined {
    const sinceMs = untilMs - answersMs;
    const kept = sends.flatMap((one) => datedOf(one) ?? []);
    const recent = kept.filter(({ atMs }) => atMs > sinceMs && atMs <= untilMs);
    const person = this.#app.people.canonical(who);
    const number = channelIds.indexOf(channel);
    const { sending, campaigns } = this.#app;
    const of = sending.newestTo(person, number, { sinceMs, untilMs }, campaigns);
    const marketing = recent.filter((one) => this.#isMarketing(one));
    if (of !== undefined) {
      const parts = campaignSendParts(this.#reads.owner, of.startedMs, of.number, number);
      marketing.push({ sendId: formatId('ntf', parts(person)), atMs: of.startedMs });
    }
    const newest = newestOf(marketing) ?? newestOf(recent);
    return newest && sendOf(newest);
  }

  #isMarketing({ sendId, journeyId }: Send): boolean {
    return journeyId !== undefined || marketingSend(this.#app, sendId).campaignId !== undefined;
  }
}

function sendOf({ sendId, journeyId }: Send): Send {
  return { sendId, ...(journeyId === undefined ? {} : { journeyId }) };
}

/** With the instant that its id tells; `undefined` if it never arrived. */
function datedOf({ sendId, journeyId, failedMs, isLanded }: KeptSend): Dated | undefined {
  const atMs = parseId('ntf', sendId)?.atMs;
  if (atMs === undefined || (failedMs !== undefined && isLanded !== true)) return undefined;
  return { sendId, atMs, ...(journeyId === undefined ? {} : { journeyId }) };
}

function newestOf(sends: readonly Dated[]): Dated | undefined {
  let newest: Dated | undefined;
  for (const one of sends) if (newest === undefined || one.atMs >= newest.atMs) newest = one;
  return newest;
}
