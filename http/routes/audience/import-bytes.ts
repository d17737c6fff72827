// Reads an import's body into packed slices without making it an object: most bodies have nothing
// but rows as `row-reader.ts` knows them, and here and there another one, which is parsed alone.
// Returns nothing for a body of another kind, and the schema judges it. What is returned is what
// the other way would return for the same bytes.

import { isUtf8 } from 'node:buffer';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import {
  type FlaggedAddress,
  flaggedAddress,
} from '../../../actors/channels/email/address-flags.ts';
import { limits } from '../../../actors/limits.ts';
import { packRows, type SliceRows } from '../../../actors/people/audience/import/pack-rows.ts';
import { SlicePacker } from '../../../actors/people/audience/import/slice-packer.ts';
import type {
  Consent,
  RowError,
  SubscriberInput,
} from '../../../actors/people/audience/protocol.ts';
import { AssertionFailed } from '../../../engine/base/assert.ts';
import { guardJson } from '../../call/body/json-guard.ts';
import { unknownMembers } from '../../call/body/unknown-members.ts';
import { mayHoldBroken } from '../../call/body/well-formed.ts';
import { AddressSummary } from './address-flags-shape.ts';
import { consentSchema } from './consent-shape.ts';
import { type ImportRow, readRow } from './import-row.ts';
import { closeBrace, closeBracket, comma, openBrace, openBracket } from './json-cursor.ts';
import { RowReader } from './row-reader.ts';
import { subscriberBody } from './subscriber-shape.ts';

/** The body's limit of 1 MiB usually comes first: 4,000 rows of 250 bytes. */
export const rowsMax = 10_000;
/** A full slice's work: one per row, and one per device. */
export const sliceWorkMax = 500;

/** A slice's valid rows with their indexes in the call, and the invalid rows in between. */
export interface Slice {
  readonly places: readonly number[];
  readonly errors: readonly RowError[];
  /** Of all rows. */
  packed(): SliceRows;
  rows(): readonly SubscriberInput[];
}

export interface ReadImport {
  readonly appId: string | undefined;
  readonly consent: Consent | undefined;
  readonly rowCount: number;
  readonly slices: readonly Slice[];
  /** Of the valid rows. */
  readonly addresses: AddressSummary;
}

const appId = Buffer.from('appId');
const rowsName = Buffer.from('rows');
const dryRun = Buffer.from('dryRun');
const consentName = Buffer.from('consent');
const no = Buffer.from('false');
const packer = new SlicePacker();
const emailChannel = channelIds.indexOf('email');

export function readImport(bytes: Uint8Array): ReadImport | undefined {
  if (!isUtf8(bytes)) return undefined;
  return new ImportReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).read();
}

class ImportReader {
  readonly #source: Buffer;
  readonly #reader: RowReader;
  readonly #slices: Slice[] = [];
  readonly #addresses = new AddressSummary();
  #places: number[] = [];
  #errors: RowError[] = [];
  /** Where each valid row of the slice is, and the row if it was parsed. */
  #starts: number[] = [];
  #ends: number[] = [];
  #parsed: (SubscriberInput | undefined)[] = [];
  #work = 0;
  #rowCount = 0;
  /** Not below the JSON values of the body. */
  #values = 6;

  constructor(source: Buffer) {
    this.#source = source;
    this.#reader = new RowReader(source);
  }

  read(): ReadImport | undefined {
    const reader = this.#reader;
    if (!reader.takes(openBrace)) return undefined;
    let app: string | undefined;
    let consent: Consent | undefined;
    let seen = 0;
    do {
      if (!reader.name()) return undefined;
      let bit = 0;
      if (reader.is(appId)) {
        if (!reader.text()) return undefined;
        app = reader.string();
        bit = 1;
      } else if (reader.is(rowsName)) bit = this.#rows() ? 2 : 0;
      else if (reader.is(dryRun)) bit = reader.word(no) ? 4 : 0;
      else if (reader.is(consentName) && reader.text()) {
        const given = reader.string();
        consent = consentSchema.options.find((one) => one === given);
        bit = consent === undefined ? 0 : 8;
      }
      if (bit === 0 || (seen & bit) !== 0) return undefined;
      seen |= bit;
    } while (reader.takes(comma));
    if (!reader.takes(closeBrace) || reader.next() !== -1) return undefined;
    if ((seen & 2) === 0 || reader.hasFilter || this.#values > limits.importNodesMax)
      return undefined;
    const [rowCount, slices, addresses] = [this.#rowCount, this.#slices, this.#addresses];
    return { appId: app, consent, rowCount, slices, addresses };
  }

  #rows(): boolean {
    const reader = this.#reader;
    if (!reader.takes(openBracket)) return false;
    packer.begin(sliceWorkMax);
    do {
      if (this.#rowCount === rowsMax || reader.next() !== openBrace) return false;
      if (!this.#row(this.#rowCount++)) return false;
      if (this.#work >= sliceWorkMax) this.#endSlice();
    } while (reader.takes(comma));
    if (this.#work > 0) this.#endSlice();
    return reader.takes(closeBracket);
  }

  #row(place: number): boolean {
    const reader = this.#reader;
    const start = reader.at;
    if (!reader.row()) return this.#otherRow(place, start);
    const flagged = this.#flagged();
    // The actor alone knows whether the app refuses it.
    const mayBeRefused = flagged?.some(({ told }) => told.flags.includes('disposable')) === true;
    if (mayBeRefused || !packer.addBytes(reader)) return this.#otherRow(place, start);
    for (const { device, told } of flagged ?? []) this.#addresses.add(place, device, told);
    this.#work += 1 + reader.devices.count;
    this.#values += reader.valuesMax;
    this.#keep(place, start, undefined);
    return true;
  }

  /** Of the row that was read last. */
  #flagged(): { readonly device: number; readonly told: FlaggedAddress }[] | undefined {
    const { channels, count, endpoints, starts, ends } = this.#reader.devices;
    let flagged: { device: number; told: FlaggedAddress }[] | undefined;
    for (let device = 0; device < count; device++) {
      if (channels[device] !== emailChannel) continue;
      const address =
        endpoints[device] ?? this.#source.toString('latin1', starts[device], ends[device]);
      const told = flaggedAddress(address);
      if (told === undefined) continue;
      flagged ??= [];
      flagged.push({ device, told });
    }
    return flagged;
  }

  /** Parses a row that its reader does not know. False if the body has to be judged as a whole. */
  #otherRow(place: number, start: number): boolean {
    const reader = this.#reader;
    reader.at = start;
    if (!reader.skipObject()) return false;
    this.#values += (reader.at - start) >> 1;
    const row = parsedRow(this.#source.subarray(start, reader.at));
    if (row === undefined) return false;
    this.#work += 1;
    if ('problem' in row) {
      this.#errors.push({ row: place, error: row.problem });
      return true;
    }
    this.#work += row.devices?.length ?? 0;
    packer.add(row);
    this.#addresses.addRow(place, row);
    this.#keep(place, start, row);
    return true;
  }

  #keep(place: number, start: number, row: SubscriberInput | undefined): void {
    this.#places.push(place);
    this.#starts.push(start);
    this.#ends.push(this.#reader.at);
    this.#parsed.push(row);
  }

  #endSlice(): void {
    const [source, starts, ends, parsed] = [this.#source, this.#starts, this.#ends, this.#parsed];
    const rows = () => parsed.map((row, i) => row ?? rowAgain(source.subarray(starts[i], ends[i])));
    const packed = packer.end() ?? packRows(rows());
    this.#slices.push({ places: this.#places, errors: this.#errors, packed: () => packed, rows });
    packer.begin(sliceWorkMax);
    this.#places = [];
    this.#errors = [];
    this.#starts = [];
    this.#ends = [];
    this.#parsed = [];
    this.#work = 0;
  }
}

/** Within an object and its list. */
const rowLimits = { depth: limits.jsonDepthMax - 2, nodes: limits.importNodesMax };
const filterName = /[fF]ilter"/;

/** A row, or its problem; `undefined` if what is wrong with it is wrong with the whole body. */
function parsedRow(bytes: Buffer): ImportRow | undefined {
  if (!guardJson(bytes, rowLimits).ok) return undefined;
  const text = bytes.toString();
  if (filterName.test(text)) return undefined;
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return undefined; // the whole body fails, and with other words
  }
  if (unknownMembers(subscriberBody, row).length > 0) return undefined;
  return readRow(row, mayHoldBroken(bytes));
}

/** A valid row as an object. */
function rowAgain(bytes: Buffer): SubscriberInput {
  const row = readRow(JSON.parse(bytes.toString()));
  if ('problem' in row) throw new AssertionFailed(`a row was valid before: ${row.problem}`);
  return row;
}
