// Decides the packed rows of an import's slice: it creates new people, skips people who are stored
// as their rows say, and updates people whose tags have other values. All other rows go to the
// upsert. What it writes depends on no other row of the slice, because rows that meet are
// not packed (`pack-rows.ts`).

import type { Context, RecordWrite } from '../../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../../engine/base/brand.ts';
import type { HashKey } from '../../../../engine/base/hash.ts';
import { newId, subscriberId } from '../../../../engine/base/id.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { endpoints, subscribers } from '../../../../storage/tables/subscriber.ts';
import { channelIds } from '../../../channels/channel-ids.ts';
import { limits } from '../../../limits.ts';
import { type EndpointKey, endpointDigestBytes, hashEndpoint } from '../endpoint-index.ts';
import { storedIdentity, takesMarketing } from '../identity.ts';
import type { AudienceView } from '../memory.ts';
import type { PendingDocuments } from '../pending-documents.ts';
import type { AudienceEntry, ImportedEntry, PackedRows } from '../protocol.ts';
import { startOf } from './layout.ts';
import { recoded } from './recoded.ts';
import { RecordPlace } from './records.ts';
import { RetaggedRows } from './retagged-rows.ts';

/** What became of a packed row; `undefined`: the upsert decides. */
type Outcome = 'created' | 'changed' | 'unchanged' | undefined;

const email = channelIds.indexOf('email');

export class PackedSlice {
  readonly #app: AudienceView;
  readonly #packed: PackedRows;
  readonly #context: Context;
  readonly #documents: PendingDocuments;
  readonly #isAsked: boolean;
  /** By row: the person with its external id, or -1. */
  readonly #found: Int32Array;
  readonly #mayAdd: boolean;
  /** A name that nobody vouched for is vouched for by the rows that use it. */
  readonly #maySkip: boolean;
  readonly #created: { readonly row: number; readonly person: PersonOrdinal }[] = [];
  readonly #records: RecordWrite[] = [];
  /** Hashes of the addresses of those who were created, and their owners. */
  readonly #hashes: Uint32Array;
  readonly #owners: Uint32Array;
  #owned = 0;
  readonly #retagged: RetaggedRows;
  #place: RecordPlace | undefined;

  constructor(
    app: AudienceView,
    packed: PackedRows,
    context: Context,
    documents: PendingDocuments,
    isAsked: boolean,
  ) {
    this.#isAsked = isAsked;
    this.#app = app;
    this.#packed = packed;
    this.#context = context;
    this.#documents = documents;
    this.#found = peopleOf(app, packed);
    this.#retagged = new RetaggedRows(packed);
    const { traits, unvouched, endpoints } = app;
    this.#hashes = new Uint32Array(2 * packed.devices.channels.length);
    this.#owners = new Uint32Array(packed.devices.channels.length);
    this.#mayAdd =
      endpoints.key !== undefined && traits.tags.size + packed.tags.length <= limits.namesMax;
    this.#maySkip = !packed.tags.some(({ name }) => unvouched.tags.has(name));
  }

  /** `next` is the ordinal of whoever is created next. */
  decide(row: number, next: PersonOrdinal): Outcome {
    // What is packed is written as confirmed.
    if (this.#isAsked && this.#hasEmail(row)) return undefined;
    const person = this.#found[row] as number;
    if (person >= 0) return this.#known(row, person);
    if (!this.#mayAdd || !this.#areFree(row)) return undefined;
    this.#create(row, next);
    return 'created';
  }

  #hasEmail(row: number): boolean {
    const { ends, channels } = this.#packed.devices;
    return channels.subarray(startOf(ends, row), ends[row]).includes(email);
  }

  /** The entries for those who were created or changed, and their documents. */
  end(): { readonly entries: readonly AudienceEntry[]; readonly records: readonly RecordWrite[] } {
    const retagged = this.#retagged.entry(this.#context);
    const entries = [...this.#creation(), ...(retagged === undefined ? [] : [retagged])];
    return { entries, records: this.#records };
  }

  #creation(): readonly AudienceEntry[] {
    if (this.#created.length === 0) return [];
    const hashes = this.#hashes.subarray(0, 2 * this.#owned);
    const people = this.#owners.subarray(0, this.#owned);
    const { owner } = this.#context;
    const changed = { kind: 'endpoints.changed', owner, hashes, people } as const;
    return this.#owned === 0 ? [this.#entry()] : [this.#entry(), changed];
  }

  #known(row: number, person: PersonOrdinal): Outcome {
    if (!this.#maySkip || this.#app.monthlyActive.isUnvouched(person)) return undefined;
    if (this.#documents.hasWritten(subscribers, [person])) return undefined;
    let outcome: Outcome;
    this.#context.documents.lend(subscribers, [person], (stored) => {
      const difference = this.#placeOf().difference(stored, row, person);
      if (difference === 'nowhere') outcome = 'unchanged';
      else if (difference === 'behind its devices' && this.#retag(stored, row, person))
        outcome = 'changed';
    });
    return outcome;
  }

  /** Writes the row over somebody who has the same devices and names of tags. */
  #retag(stored: Uint8Array, row: number, person: PersonOrdinal): boolean {
    const known = this.#retagged.add(stored, row, person);
    if (known === undefined) return false;
    const place = this.#placeOf();
    const record = place.begin(row, person, known.id, known.createdMs);
    const first = startOf(this.#packed.devices.ends, row);
    for (const [at, { id, createdMs }] of known.devices.entries())
      place.device(first + at, id, createdMs);
    place.end();
    this.#records.push({ table: subscribers, key: [person], record });
    return true;
  }

  /** Whether nobody has an endpoint of the row. Notes the hashes behind those of people before. */
  #areFree(row: number): boolean {
    const { endpoints: index } = this.#app;
    const { ends, channels, keys } = this.#packed.devices;
    const hash = { high: 0, low: 0 };
    let to = 2 * this.#owned;
    for (let at = startOf(ends, row); at < (ends[row] as number); at++) {
      const from = at * endpointDigestBytes;
      hashEndpoint(index.key as HashKey, channels[at] as number, keys, from, hash);
      if (index.findHash(hash.high, hash.low) !== undefined) return false;
      if (!index.isWhole && this.#isStored(at)) return false;
      this.#hashes[to++] = hash.high;
      this.#hashes[to++] = hash.low;
    }
    return true;
  }

  #isStored(device: number): boolean {
    const { channels, keys } = this.#packed.devices;
    const from = device * endpointDigestBytes;
    const digest = keys.subarray(from, from + endpointDigestBytes);
    const key: EndpointKey = [channelIds[channels[device] as number] as string, digest];
    return this.#context.documents.get(endpoints, key) !== undefined;
  }

  /** Chance is asked in the order of the upsert: for the person, then for each device. */
  #create(row: number, person: PersonOrdinal): void {
    const { owner, nowMs, rng } = this.#context;
    const { ends } = this.#packed.devices;
    const place = this.#placeOf();
    const id = subscriberId(owner, person, nowMs, rng.uint32() >>> 16);
    const record = place.begin(row, person, id);
    for (let at = startOf(ends, row); at < (ends[row] as number); at++) {
      place.device(at, newId('dev', owner, nowMs, rng));
      this.#owners[this.#owned++] = person + 1;
    }
    place.end();
    this.#records.push({ table: subscribers, key: [person], record });
    this.#created.push({ row, person });
  }

  #placeOf(): RecordPlace {
    this.#place ??= new RecordPlace(this.#packed, this.#context.nowMs);
    return this.#place;
  }

  #entry(): ImportedEntry {
    const packed = this.#packed;
    const rows = this.#created.map(({ row }) => row);
    const isAll = rows.length === packed.count;
    const { ids, idEnds } = idsOf(packed, rows);
    const contact = this.#contactOf(rows);
    const tags = isAll ? packed.tags : recodedTags(packed, rows);
    const zones = isAll ? packed.zones : recoded(packed.zones, rows);
    const preferred = isAll ? packed.preferred : gathered(packed.preferred, rows);
    return {
      kind: 'subscribers.imported',
      owner: this.#context.owner,
      people: Uint32Array.from(this.#created, ({ person }) => person),
      ids,
      idEnds,
      atMs: this.#context.nowMs,
      tags,
      ...(zones.values.length === 0 ? {} : { zones }),
      ...(preferred.some((bits) => bits !== 0) ? { preferred } : {}),
      ...contact,
      countedBytes: rows.reduce((sum, row) => sum + (packed.counted[row] as number), 0),
    };
  }

  /** By the devices: all are enabled. */
  #contactOf(rows: readonly number[]): Pick<ImportedEntry, 'reach' | 'several' | 'optedOut'> {
    const { ends, channels } = this.#packed.devices;
    const reach = new Uint16Array(rows.length);
    const several = new Uint16Array(rows.length);
    const optedOut = new Uint16Array(rows.length);
    for (const [nth, row] of rows.entries()) {
      for (let at = startOf(ends, row); at < (ends[row] as number); at++) {
        const bit = 1 << (channels[at] as number);
        const before = (reach[nth] as number) | (optedOut[nth] as number);
        several[nth] = (several[nth] as number) | (before & bit);
        const set = this.#hasOptedOut(at) ? optedOut : reach;
        set[nth] = (set[nth] as number) | bit;
      }
    }
    return {
      reach,
      ...(several.some((bits) => bits !== 0) ? { several } : {}),
      ...(optedOut.some((bits) => bits !== 0) ? { optedOut } : {}),
    };
  }

  #hasOptedOut(device: number): boolean {
    const { suppressions, marketingOptOuts } = this.#app;
    if (suppressions.size + marketingOptOuts.size === 0) return false;
    const { channels, endpointAt, endpointEnds } = this.#packed.devices;
    const channel = channelIds[channels[device] as number];
    if (channel === undefined) return false;
    const text = this.#packed.fields.subarray(endpointAt[device], endpointEnds[device]);
    const identity = storedIdentity(channel, Buffer.from(text).toString());
    return identity !== undefined && !takesMarketing(this.#app, identity);
  }
}

function peopleOf({ people }: AudienceView, { count, fields, ids }: PackedRows): Int32Array {
  const found = new Int32Array(count);
  people.findAllBytes(fields, ids, count, found);
  return found;
}

/** The external ids of the rows, one after another. */
function idsOf({ fields, ids: { start, end } }: PackedRows, rows: readonly number[]) {
  const idEnds = new Uint32Array(rows.length);
  let bytes = 0;
  for (const [nth, row] of rows.entries()) {
    if (end[row] !== 0) bytes += (end[row] as number) - (start[row] as number);
    idEnds[nth] = bytes;
  }
  const ids = new Uint8Array(bytes);
  let to = 0;
  for (const row of rows)
    for (let at = start[row] as number; at < (end[row] as number); at++)
      ids[to++] = fields[at] as number;
  return { ids, idEnds };
}

function gathered(column: Uint16Array, rows: readonly number[]): Uint16Array {
  return Uint16Array.from(rows, (row) => column[row] as number);
}

function recodedTags({ tags }: PackedRows, rows: readonly number[]): ImportedEntry['tags'] {
  return tags
    .map(({ name, ...column }) => ({ name, ...recoded<TagValue>(column, rows) }))
    .filter(({ values }) => values.length > 0);
}
