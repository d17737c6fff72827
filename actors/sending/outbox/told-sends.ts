// What the record of a send adds to an event that an app tells of it: the channel and the device
// that it was for, where it is one, and that it was a test. It is looked up where the event is read
// or told, so that taking it in costs nothing.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { aliases, subscribers } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds, isChannelId } from '../../channels/channel-ids.ts';
import { isObject } from '../../is-object.ts';
import { readableRow } from '../../readable-row.ts';
import { namedSend } from '../campaign-send-id.ts';
import { readableSend } from './readable-send.ts';

/** An event of a person, as it was told. */
interface ToldEvent {
  readonly name: string;
  readonly person: PersonOrdinal;
  readonly atMs: Millis;
  readonly sendId: string | null;
  readonly deviceId: string | null;
  readonly channel: string | null;
}

interface KnownOfSend {
  readonly channel?: ChannelId;
  readonly deviceId?: string;
  readonly test?: true;
}

interface Target {
  readonly deviceId: string;
  readonly channel: string;
}

interface Sent {
  readonly person: PersonOrdinal;
  readonly targets: readonly Target[];
  readonly channel?: ChannelId;
  readonly test?: true;
}

const toldNames: ReadonlySet<string> = new Set(['opened', 'clicked', 'dismissed']);

/** Reads each send of a page once. */
export class ToldSends {
  readonly #owner: Ordinal;
  readonly #documents: DocumentReader;
  readonly #sent = new Map<string, Sent | undefined>();

  constructor(owner: Ordinal, documents: DocumentReader) {
    this.#owner = owner;
    this.#documents = documents;
  }

  /** Nothing of an event that says it already, or of another person's send. */
  of(event: ToldEvent): KnownOfSend | undefined {
    const { sendId, deviceId, channel } = event;
    if (sendId === null || channel !== null || !toldNames.has(event.name)) return undefined;
    if (!this.#sent.has(sendId)) this.#sent.set(sendId, this.#read(sendId));
    const sent = this.#sent.get(sendId);
    if (sent === undefined || !this.#isSame(sent.person, event.person)) return undefined;
    const one =
      deviceId === null
        ? only(sent.targets)
        : sent.targets.find((target) => target.deviceId === deviceId);
    const on = one?.channel ?? sent.channel;
    return {
      ...(on !== undefined && isChannelId(on) ? { channel: on } : {}),
      ...(deviceId === null && one !== undefined ? { deviceId: one.deviceId } : {}),
      ...(sent.test === true ? { test: true } : {}),
    };
  }

  /** The event with what its send says. */
  completed<Event extends ToldEvent & { readonly meta: unknown }>(event: Event): Event {
    const known = this.of(event);
    if (known === undefined) return event;
    const { test, ...places } = known;
    if (test === undefined) return { ...event, ...places };
    return { ...event, ...places, meta: { ...(isObject(event.meta) ? event.meta : {}), test } };
  }

  #read(sendId: string): Sent | undefined {
    const row = readableSend(this.#documents, this.#owner, sendId);
    if (row !== undefined) {
      const { person, targets, test } = row;
      return { person, targets, ...(test === true ? { test } : {}) };
    }
    return this.#ofCampaign(sendId);
  }

  /** A campaign's send has no row: its id names person and channel. */
  #ofCampaign(sendId: string): Sent | undefined {
    if (parseId('ntf', sendId)?.ordinal !== this.#owner) return undefined;
    const named = namedSend(sendId);
    const channel = named && channelIds[named.channel];
    if (named === undefined || channel === undefined) return undefined;
    const { person, startedMs } = named;
    const row = readableRow(this.#documents, subscribers, [this.#canonical(person)]);
    const devices = row?.devices.filter((device) => device.channel === channel) ?? [];
    // A device that came later may have taken the place of the one that it was sent to.
    const targets = devices.every(({ createdMs }) => createdMs <= startedMs)
      ? devices.map(({ id }) => ({ deviceId: id, channel }))
      : [];
    return { person, channel, targets };
  }

  #isSame(one: PersonOrdinal, other: PersonOrdinal): boolean {
    return one === other || this.#canonical(one) === this.#canonical(other);
  }

  #canonical(person: PersonOrdinal): PersonOrdinal {
    return readableRow(this.#documents, aliases, [person])?.into ?? person;
  }
}

function only(targets: readonly Target[]): Target | undefined {
  return targets.length === 1 ? targets[0] : undefined;
}
