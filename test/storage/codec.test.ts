// Records and tables: what is written comes back, older versions are read, damage is never ignored.

import fc from 'fast-check';
import t from 'tap';
import { DamagedRecord, decodeRecord, encodeRecord } from '../../storage/codec.ts';
import { encodeKey } from '../../storage/keys.ts';
import { declaredTable, defineTable, tableById } from '../../storage/table.ts';
import { tries } from '../support/tries.ts';
import { type Person, people } from './support/people.ts';

const key = encodeKey(240, 7, ['ana']);

t.test('a row comes back as it was written', async (t) => {
  const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
  const name = fc.string({ maxLength: 8 }).filter((text) => text !== '__proto__');
  const device = fc.record({ id: fc.string(), at: fc.maxSafeNat() }, { noNullPrototype: true });
  const row: fc.Arbitrary<Person> = fc.record(
    {
      name: fc.string({ unit: 'binary' }),
      age: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true })),
      tags: fc.dictionary(name, scalar, { noNullPrototype: true }),
      token: fc.uint8Array({ maxLength: 40 }),
      devices: fc.array(device, { maxLength: 20 }),
    },
    { requiredKeys: ['name'], noNullPrototype: true },
  );
  const plain = (person: Person) => ({
    ...person,
    ...(person.token && { token: Buffer.from(person.token).toString('hex') }),
  });
  fc.assert(
    fc.property(row, (person) => {
      t.strictSame(plain(people.decode(people.encode(person), key)), plain(person));
    }),
    { seed: 21, numRuns: tries(300) },
  );
});

t.test('an absent field is left out, and takes no space at the end', async (t) => {
  const row = people.decode(people.encode({ name: 'Ana', devices: [] }), key);
  t.strictSame(Object.keys(row), ['name', 'devices']);
  t.equal(people.encode({ name: 'Ana' }).length, 5 + 1 + 4);
});

t.test('a record of an older version is read, and brought up to date', async (t) => {
  const old = encodeRecord(1, ['Ana']);
  t.strictSame(people.decode(old, key), { name: 'Ana', age: 18 });
  t.strictSame(people.decode(encodeRecord(2, ['Ana']), key), { name: 'Ana' });
});

t.test('a record of a newer version is refused by name', async (t) => {
  const newer = encodeRecord(3, ['Ana', 30, {}, undefined, [], 'unheard of']);
  t.throws(() => people.decode(newer, key), {
    name: 'DamagedRecord',
    table: 'people',
    key: Buffer.from(key).toString('hex'),
    message: /version 3, this program reads up to 2/,
  });
});

t.test('no changed bit of a payload goes unnoticed', async (t) => {
  const record = people.encode({ name: 'Ana', age: 30, tags: { plan: 'pro' } });
  for (let bit = 8; bit < record.length * 8; bit++) {
    const damaged = Buffer.from(record);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    t.throws(() => people.decode(damaged, key), DamagedRecord);
  }
  for (let length = 0; length < record.length; length++)
    t.throws(() => people.decode(record.subarray(0, length), key), DamagedRecord);
});

t.test('a record that is no list is refused', async (t) => {
  const { Packr } = await import('msgpackr');
  const { crc32 } = await import('node:zlib');
  const payload = new Packr({ useRecords: false }).pack({ name: 'Ana' });
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32LE(crc32(payload), 1);
  t.throws(() => decodeRecord(1, Buffer.concat([head, payload]), 'people', key), /not a list/);
});

t.test('records do not share bytes', async (t) => {
  const first = people.encode({ name: 'first' });
  const copy = Buffer.from(first);
  for (let i = 0; i < 1000; i++) people.encode({ name: `another ${i}`.repeat(i % 50) });
  t.ok(copy.equals(first));
});

t.test('a null field, and a record beyond four megabytes, are bugs', async (t) => {
  const broken = { name: null } as unknown as Person;
  t.throws(() => people.encode(broken), /people\.name is null/);
  t.throws(() => people.encode({ name: 'x'.repeat(4 * 1024 * 1024) }), /too long/);
});

t.test('a table id and a field are declared once', async (t) => {
  interface Row {
    readonly a: number;
  }
  const declare = defineTable<Row>();
  t.throws(
    () => declare({ id: 240, name: 'others', fields: ['a'], version: 1 }),
    /people and others/,
  );
  t.throws(() => declare({ id: 242, name: 'x', fields: ['a', 'a'], version: 1 }), /twice/);
  t.throws(() => declare({ id: 256, name: 'x', fields: ['a'], version: 1 }), /0 to 255/);
  t.throws(() => declare({ id: 242, name: 'x', fields: ['a'], version: 0 }), /1 to 255/);
  // @ts-expect-error a field that the declaration forgets does not compile
  declare({ id: 243, name: 'forgetful', fields: [], version: 1 });
});

t.test('a table is found by its id, and an undeclared one is refused', async (t) => {
  t.equal(tableById(240), people);
  t.equal(tableById(250), undefined);
  t.throws(() => declaredTable({ id: 240, name: 'people' }), /not made by defineTable/);
});
