// The two ids of a person as they are now, read from the head of the record: a campaign asks for a
// million of them.

import type { Buffer } from 'node:buffer';
import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { checkRecord, DamagedRecord, recordHeaderBytes } from '../../../storage/codec.ts';
import { PackedReader } from '../../../storage/packed-reader.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';

interface NamedPerson {
  readonly subscriberId: string | null;
  readonly externalUserId: string | null;
}

const unnamed: NamedPerson = { subscriberId: null, externalUserId: null };
const { fields, version: newest, name: table } = subscribers;
const noKey = new Uint8Array(0);

/** Unnamed where there is no record, or none that can be read. */
export function namedPerson(documents: DocumentReader, person: PersonOrdinal): NamedPerson {
  let found = unnamed;
  try {
    documents.lend(subscribers, [person], (record) => {
      found = namesIn(record as Buffer);
    });
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
  }
  return found;
}

function namesIn(record: Buffer): NamedPerson {
  if (checkRecord(newest, record, table, noKey) !== newest) {
    const { id, externalUserId = null } = subscribers.decode(record, noKey);
    return { subscriberId: id, externalUserId };
  }
  const reader = new PackedReader(record, recordHeaderBytes);
  const count = Math.min(reader.list(), last + 1);
  const names: { -readonly [Name in keyof NamedPerson]: NamedPerson[Name] } = { ...unnamed };
  for (let i = 0; i < count; i++) {
    if (fields[i] === 'id') names.subscriberId = reader.value() as string;
    else if (fields[i] === 'externalUserId')
      names.externalUserId = (reader.value() as string | null) ?? null;
    else reader.skip();
  }
  return names;
}

const last = fields.indexOf('externalUserId');
