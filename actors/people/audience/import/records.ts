// Writes the records of imported people from packed rows, to the byte as their tables would, and
// compares stored ones with such rows.

import type { Millis, PersonOrdinal } from '../../../../engine/base/brand.ts';
import { recordHeaderBytes, sealRecord } from '../../../../storage/codec.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import type { PackedRows } from '../protocol.ts';
import {
  createdBefore,
  createdBehind,
  idBytes,
  instantBytes,
  startOf,
  updatedBefore,
  updatedBehind,
} from './layout.ts';

/** Id, ordinal, and the fields that are packed. */
const fieldsOfPerson = 9;
/** In front of the ordinal: the header, the list's and the id's first byte, the id. */
const idAt = recordHeaderBytes + 2;
const ordinalAt = idAt + idBytes;
const ordinalBytesMax = 5;

/** Room for all records of a slice, written one after another. */
export class RecordPlace {
  readonly #packed: PackedRows;
  readonly #now = Buffer.alloc(instantBytes);
  #room: Buffer | undefined;
  #used = 0;
  /** The record under way, where its fields begin, and where they do in `packed.fields`. */
  #record: Buffer = Buffer.alloc(0);
  #fieldsAt = 0;
  #from = 0;

  constructor(packed: PackedRows, nowMs: Millis) {
    this.#packed = packed;
    this.#now.writeDoubleBE(nowMs);
  }

  #take(bytes: number): Buffer {
    const from = this.#used;
    this.#used += bytes;
    this.#room ??= Buffer.allocUnsafeSlow(roomFor(this.#packed));
    return this.#room.subarray(from, this.#used);
  }

  /** The record is whole after `end`. `createdMs`: of somebody known. */
  begin(row: number, person: PersonOrdinal, id: string, createdMs?: Millis): Buffer {
    const { fields, fieldEnds } = this.#packed;
    const from = startOf(fieldEnds, row);
    const end = fieldEnds[row] as number;
    const width = ordinalBytes(person);
    const record = this.#take(ordinalAt + width + end - from);
    record[recordHeaderBytes] = 0x90 | fieldsOfPerson;
    record[recordHeaderBytes + 1] = 0xa0 | idBytes;
    record.write(id, idAt, idBytes, 'latin1');
    writeOrdinal(record, ordinalAt, person);
    record.set(fields.subarray(from, end), ordinalAt + width);
    this.#record = record;
    this.#fieldsAt = ordinalAt + width;
    this.#from = from;
    this.#instant(record.length - createdBefore, createdMs);
    this.#instant(record.length - updatedBefore);
    return record;
  }

  device(device: number, id: string, createdMs?: Millis): void {
    const { idAt: places, endpointEnds } = this.#packed.devices;
    const shift = this.#fieldsAt - this.#from;
    this.#record.write(id, (places[device] as number) + shift, idBytes, 'latin1');
    const end = (endpointEnds[device] as number) + shift;
    this.#instant(end + createdBehind, createdMs);
    this.#instant(end + updatedBehind);
  }

  end(): void {
    sealRecord(subscribers.version, this.#record);
  }

  /** Where a stored record says something else than the row, whatever its ids and instants. */
  difference(record: Uint8Array, row: number, person: PersonOrdinal): Difference {
    const { fields, fieldEnds, devices } = this.#packed;
    const from = startOf(fieldEnds, row);
    const end = fieldEnds[row] as number;
    const shift = ordinalAt + ordinalBytes(person) - from;
    if (record[0] !== subscribers.version) return 'in its devices';
    if (record[recordHeaderBytes] !== (0x90 | fieldsOfPerson)) return 'in its devices';
    let at = from;
    const isSameUpTo = (to: number): boolean => {
      while (at < to && record[at + shift] === fields[at]) at++;
      return at >= to;
    };
    const { ends, idAt: places, endpointEnds } = devices;
    for (let one = startOf(ends, row); one < (ends[row] as number); one++) {
      const endpointEnd = endpointEnds[one] as number;
      if (!isSameUpTo(places[one] as number)) return 'in its devices';
      at += idBytes;
      if (!isSameUpTo(endpointEnd + createdBehind)) return 'in its devices';
      at += instantBytes;
      if (!isSameUpTo(endpointEnd + updatedBehind)) return 'in its devices';
      at += instantBytes;
    }
    if (!isSameUpTo(this.#devicesEnd(row, at))) return 'in its devices';
    if (record.length !== end + shift || !isSameUpTo(end - createdBefore))
      return 'behind its devices';
    at += instantBytes;
    return isSameUpTo(end - updatedBefore) ? 'nowhere' : 'behind its devices';
  }

  /** `at`: behind the instants of the row's last device, or the beginning of its fields. */
  #devicesEnd(row: number, at: number): number {
    const { fields, fieldEnds, ids } = this.#packed;
    if (at === startOf(fieldEnds, row)) {
      const idEnd = ids.end[row] as number;
      return (idEnd === 0 ? at + 1 : idEnd) + 1;
    }
    if (fields[at] !== environmentName[0]) return at;
    const value = at + environmentName.length;
    return value + 1 + ((fields[value] as number) & 0x1f);
  }

  #instant(at: number, ms?: Millis): void {
    if (ms !== undefined) {
      this.#record.writeDoubleBE(ms, at);
      return;
    }
    const now = this.#now;
    for (let i = 0; i < instantBytes; i++) this.#record[at + i] = now[i] as number;
  }
}

type Difference = 'nowhere' | 'behind its devices' | 'in its devices';

/** As msgpack has it behind the instants of a device; no list of tags begins so. */
const environmentName = Buffer.from('\xabenvironment', 'latin1');

function roomFor({ count, fields }: PackedRows): number {
  return fields.length + count * (ordinalAt + ordinalBytesMax);
}

/** Of an unsigned number in its shortest form. */
function ordinalBytes(person: PersonOrdinal): number {
  if (person < 0x80) return 1;
  if (person < 0x100) return 2;
  return person < 0x10000 ? 3 : 5;
}

function writeOrdinal(record: Buffer, at: number, person: PersonOrdinal): void {
  if (person < 0x80) record[at] = person;
  else if (person < 0x100) {
    record[at] = 0xcc;
    record[at + 1] = person;
  } else if (person < 0x10000) {
    record[at] = 0xcd;
    record.writeUInt16BE(person, at + 1);
  } else {
    record[at] = 0xce;
    record.writeUInt32BE(person, at + 1);
  }
}
