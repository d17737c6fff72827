// The facts of campaign entries: people suppressed or held, and the receipts of waves.

import type { Millis } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  noFacts,
  type WantsName,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import { readDeviceId } from '../../people/audience/device-ids.ts';
import type { PeopleReads } from '../../people/audience/reads.ts';
import {
  isDeferral,
  type SliceDecided,
  type Turn,
  type WaveSettled,
} from '../../sending/dispatch/entries.ts';
import { eventOfReceipt, receiptMeta } from '../../sending/outbox/facts.ts';
import type { CampaignsEntry } from './entries.ts';
import type { CampaignRecord } from './records.ts';

const turnNames: readonly string[] = ['suppressed', 'deferred'];

/** The event of a turn; most turns have none. */
function nameOf(turn: Turn): 'suppressed' | 'deferred' | undefined {
  if (turn.turn === 'suppress') return 'suppressed';
  return turn.turn === 'hold' && isDeferral(turn.reason) ? 'deferred' : undefined;
}

/** A slice in which people were suppressed or held by policy. */
export class DecidedFacts extends EntryFacts {
  readonly entry: SliceDecided;
  #rows: CodedRows | undefined;

  constructor(entry: SliceDecided) {
    super();
    this.entry = entry;
  }

  override rows(): FactRows {
    this.#rows ??= rowsOfTurns(this.entry);
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.entry.atMs;
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { turns, codes, atMs, campaignId, messageId, firstEvent } = this.entry;
    const channel = (this.entry.meant ?? this.entry.channel) + 1;
    const references = messageId === undefined ? { campaignId } : { campaignId, messageId };
    const kinds = turns.map((turn) => {
      const name = nameOf(turn);
      const metaJson = metaOf(turn);
      return name && metaJson && { name, atMs, channel, metaJson, ...references };
    });
    const drafts: NumberedDraft[] = [];
    let seq = firstEvent - 1;
    unpackOrdinals(this.entry.people).forEach((person, i) => {
      const kind = kinds[codes?.[i] ?? 0];
      if (!kind) return;
      seq++;
      if (wants?.(kind.name) !== false) drafts.push({ ...kind, person, seq });
    });
    return drafts;
  }
}

function rowsOfTurns({ people: packed, turns, codes, atMs }: SliceDecided): CodedRows {
  const places = turns.map((turn) => turnNames.indexOf(nameOf(turn) ?? ''));
  const people = unpackOrdinals(packed);
  const found = new Uint32Array(people.length);
  const foundCodes = new Uint8Array(people.length);
  let count = 0;
  for (let i = 0; i < people.length; i++) {
    const place = places[codes === undefined ? 0 : (codes[i] as number)] as number;
    if (place < 0) continue;
    found[count] = people[i] as number;
    foundCodes[count++] = place;
  }
  return new CodedRows(turnNames, foundCodes.subarray(0, count), found.subarray(0, count), atMs);
}

function metaOf(turn: Turn): string | undefined {
  if (turn.turn === 'suppress') return JSON.stringify({ reason: turn.reason });
  if (turn.turn !== 'hold') return undefined;
  return JSON.stringify({ reason: turn.reason, until: new Date(turn.untilMs).toISOString() });
}

/** Receipts of a wave. Rows name people as they were handed out; `resolve` follows merges since. */
export class WaveFacts extends EntryFacts {
  readonly entry: WaveSettled;
  #rows: CodedRows | undefined;

  constructor(entry: WaveSettled) {
    super();
    this.entry = entry;
  }

  override rows(): CodedRows {
    this.#rows ??= rowsOfWave(this.entry);
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.entry.atMs;
  }

  override channel(): ChannelId | undefined {
    return channelIds[this.entry.channel];
  }

  override resolve(canonicals: PeopleReads): void {
    const { people } = this.rows();
    for (let row = 0; row < people.length; row++)
      people[row] = canonicals.canonical(people[row] as number);
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { owner, atMs, campaignId, kinds, codes, messageIds, messages } = this.entry;
    const { devices, providerIds, firstEvent, relay, relayName } = this.entry;
    const by = relayName === undefined || relay === undefined ? {} : { relay, relayName };
    const { ordinal, atMs: sentMs, high16 } = this.entry.sendParts;
    const channel = this.entry.channel + 1;
    const plain = kinds.map((kind) => receiptMeta({ ...kind, ...by, attempts: 1 }));
    const names = kinds.map(({ status }) => eventOfReceipt(status));
    const isWanted = names.map((name) => wants?.(name) ?? true);
    const drafts: NumberedDraft[] = [];
    unpackOrdinals(this.entry.people).forEach((person, i) => {
      const code = codes === undefined ? 0 : (codes[i] as number);
      if (isWanted[code] === false) return;
      const kind = kinds[code] as (typeof kinds)[number];
      const providerMessageId = providerIds?.[i] || undefined;
      const metaJson =
        providerMessageId === undefined
          ? (plain[code] as string)
          : receiptMeta({ ...kind, ...by, attempts: 1, providerMessageId });
      // One literal: a million of these are made for a campaign that a webhook follows.
      drafts.push({
        seq: firstEvent + i,
        name: names[code] as string,
        person,
        atMs,
        sendId: formatId('ntf', { ordinal, atMs: sentMs, high16, low32: person }),
        deviceId: readDeviceId(owner, devices, i),
        channel,
        metaJson,
        campaignId,
        messageId: messageIds[messages === undefined ? 0 : (messages[i] as number)] ?? '',
      });
    });
    return drafts;
  }
}

function rowsOfWave({ people, kinds, codes, atMs }: WaveSettled): CodedRows {
  const named = kinds.map(({ status }) => eventOfReceipt(status));
  const names = [...new Set(named)];
  const places = named.map((name) => names.indexOf(name));
  const ofRows = codes?.map((code) => places[code] as number);
  return new CodedRows(names, ofRows, unpackOrdinals(people), atMs);
}

/** Of a campaign as a whole. No event of the stream. */
abstract class CampaignFacts extends EntryFacts {
  readonly campaign: CampaignRecord;

  constructor(campaign: CampaignRecord) {
    super();
    this.campaign = campaign;
  }

  override acceptedMs(): Millis {
    return this.campaign.updatedMs;
  }
}

/** A campaign is over. */
export class CampaignEndedFacts extends CampaignFacts {}

/** An occurrence is over. No event of the stream. */
export class OccurrenceEndedFacts extends EntryFacts {
  readonly entry: OccurrenceEnded;

  constructor(entry: OccurrenceEnded) {
    super();
    this.entry = entry;
  }

  override acceptedMs(): Millis {
    return this.entry.atMs;
  }
}

/** Its guard has stopped a campaign. */
export class CampaignGuardedFacts extends CampaignFacts {}

type OccurrenceEnded = Extract<CampaignsEntry, { kind: 'campaign.occurrence_ended' }>;

/** Only the save that ends it has one instant for both. */
function hasJustEnded({ state, endedMs, updatedMs }: CampaignRecord): boolean {
  return (state === 'completed' || state === 'failed') && endedMs === updatedMs;
}

export const campaignsFacts = {
  'campaign.saved': ({ campaign }: Extract<CampaignsEntry, { kind: 'campaign.saved' }>) =>
    hasJustEnded(campaign)
      ? new CampaignEndedFacts(campaign)
      : campaign.guarded?.atMs === campaign.updatedMs
        ? new CampaignGuardedFacts(campaign)
        : noFacts,
  'campaign.occurrence_ended': (entry: OccurrenceEnded) => new OccurrenceEndedFacts(entry),
  'campaign.decided': (entry: SliceDecided) =>
    entry.turns.some((turn) => nameOf(turn) !== undefined) ? new DecidedFacts(entry) : noFacts,
  'wave.settled': (entry: WaveSettled) => new WaveFacts(entry),
};
