// An import in columns does what the same rows do as objects: reply, records to the byte, columns,
// and what a restart finds.

import fc from 'fast-check';
import t from 'tap';
import { packRows } from '../../../../../actors/people/audience/import/pack-rows.ts';
import { unpackedRow } from '../../../../../actors/people/audience/import/unpack-row.ts';
import type {
  AudienceEntry,
  DeviceInput,
  ImportReply,
  SubscriberInput,
} from '../../../../../actors/people/audience/protocol.ts';
import { decodeBlock } from '../../../../../engine/actor/block.ts';
import { Documents } from '../../../../../storage/documents.ts';
import { subscribers } from '../../../../../storage/tables/subscriber.ts';
import { indexedDevices } from '../../../../support/indexed-devices.ts';
import { anApp, TestPartition } from '../../../../support/partition.ts';
import { tries } from '../../../../support/tries.ts';

/** Mostly the first. */
const mostly = <Value>(first: readonly Value[], second: readonly Value[]) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...first) },
    { weight: 1, arbitrary: fc.constantFrom(...second) },
  );
const numbers = mostly(['+14155550123', ' +84 912 345 678', '+84912345678'], ['+1415']);
const ownAddress = fc.integer({ min: 0, max: 400 }).map((n) => `Person.${n}@Example.com`);
const device: fc.Arbitrary<DeviceInput> = fc.oneof(
  {
    weight: 6,
    arbitrary: ownAddress.map((endpoint): DeviceInput => ({ channel: 'email', endpoint })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ channel: fc.constantFrom('sms', 'kakao'), endpoint: numbers }),
  },
  {
    weight: 1,
    arbitrary: fc.record<DeviceInput>(
      {
        channel: fc.constantFrom('email', 'apns', 'line', 'webpush'),
        endpoint: fc.constantFrom<unknown>(
          ...['ada@example.com', 'ADA@example.com', 'ab'.repeat(32), `U${'0f'.repeat(16)}`, 7],
        ),
        environment: fc.constantFrom('production', 'sandbox'),
        enabled: fc.boolean(),
      },
      { requiredKeys: ['channel', 'endpoint'] },
    ),
  },
);
const tag = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom<string | number | boolean | string[]>(
      ...['pro', 'Ngọc', '', 'x'.repeat(300), 0, 1, -40, 70_000, 0.5, 2 ** 40, true, false],
      [],
      ['a', 'ü'],
    ),
  },
  { weight: 5, arbitrary: fc.string({ maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, -0) },
);
const row = (names: number): fc.Arbitrary<SubscriberInput> =>
  fc.record(
    {
      externalUserId: fc.integer({ min: 0, max: names }).map((n) => `người ${n}`),
      tags: fc.dictionary(mostly(['plan', 'city', 'ü'], ['whispered', '$bad']), tag, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      timezone: mostly<string | null>(['UTC', 'Asia/Bangkok', 'Europe/Berlin'], [null]),
      preferredChannels: mostly<readonly string[] | null>(
        [['email'], ['sms', 'email'], ['apns']],
        [null, []],
      ),
      devices: fc.array(device, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<SubscriberInput>;

async function started(stored: readonly SubscriberInput[], optOuts: readonly number[]) {
  const one = new TestPartition();
  const { app } = await anApp(one);
  for (const subscriber of stored) await one.ask(app, 'subscriber.upsert', { subscriber });
  for (const n of optOuts)
    await one.value(app, 'suppression.add', {
      channel: 'email',
      address: `person.${n}@example.com`,
      source: 'api',
    });
  await one.ask(app, 'sdk.tag', {
    caller: { externalUserId: 'a stranger' },
    tags: { whispered: 'x' },
  } as never);
  one.clock.nowMs += 5_000;
  return { one, app };
}

async function imported(
  { one, app }: { readonly one: TestPartition; readonly app: number },
  rows: readonly SubscriberInput[],
  pack: (rows: readonly SubscriberInput[]) => ReturnType<typeof packRows>,
): Promise<readonly ImportReply[]> {
  const replies: ImportReply[] = [];
  for (let from = 0; from < rows.length; ) {
    const reply = await one.value(app, 'subscriber.import', pack(rows.slice(from, from + 30)));
    replies.push(reply);
    from += reply.handled;
  }
  return replies;
}

/** All that is stored, with the bytes of each record, and all that filters see. */
function seen({ one, app }: { readonly one: TestPartition; readonly app: number }) {
  const documents = new Documents(one.store);
  const records = [...one.store.range({ start: Buffer.from([0]), end: Buffer.from([255]) })]
    .filter(({ key }) => key[0] === subscribers.id)
    .map(({ key, value }) => [
      Buffer.from(key).toString('hex'),
      Buffer.from(value).toString('hex'),
    ]);
  const rows = documents.range(subscribers, app, { limit: 1_000 }).map(({ value }) => value);
  const state = one.product.state.apps.get(app);
  if (state === undefined) throw new Error('no app');
  const { people, traits, contact, unvouched, stored } = state;
  const addresses = indexedDevices(one, app);
  const columns = rows.map(({ person, externalUserId, tags }) => ({
    person,
    found: externalUserId && people.find(externalUserId),
    isAlive: traits.alive.test(person),
    created: traits.created.at(person),
    reach: traits.reach.map((set) => set.test(person)),
    tags: Object.entries(tags).map(([name, value]) => [
      name,
      Array.isArray(value) || traits.tags.get(name)?.equals(person, value as string),
      traits.tags.get(name)?.has(person),
    ]),
    zone: contact.zoneName(contact.zoneCode(person)),
    preferred: contact.preferred(person),
    several: [0, 1, 2, 3, 4].map((channel) => contact.hasSeveral(person, channel)),
    optedOut: [0, 1, 2, 3, 4].map((channel) => contact.hasOptedOut(person, channel)),
  }));
  const names = [...traits.tags].map(([name, column]) => [name, column.people]).sort();
  const whispered = [...unvouched.tags];
  return {
    records,
    addresses,
    columns,
    names,
    whispered,
    next: people.next,
    counted: stored.snapshot(),
  };
}

/** How many people entries in columns created, or changed tags of, after a turn. */
function inColumnsSince(
  { store }: TestPartition,
  turn: number,
  kind: 'subscribers.imported' | 'subscribers.retagged',
): number {
  let people = 0;
  for (let seq = turn + 1; seq <= store.durableSeq; seq++)
    for (const { block } of store.blocks(seq, 1))
      for (const entry of decodeBlock(block).entries as readonly AudienceEntry[])
        if (entry.kind === kind) people += entry.people.length;
  return people;
}

/** Another value for some of a row's tags. */
function withOtherTags(row: SubscriberInput): SubscriberInput {
  const tags = Object.entries(row.tags ?? {}).map(([name, value], i) => {
    if (i % 3 === 2) return [name, value];
    if (typeof value === 'string') return [name, `${value}!`.slice(-20)];
    return [name, typeof value === 'number' ? value + 1 : value === true ? 'yes' : 7];
  });
  return row.tags === undefined ? row : { ...row, tags: Object.fromEntries(tags) };
}

t.test('rows in columns leave what the same rows leave as objects', async (t) => {
  let packed = 0;
  let created = 0;
  let unchanged = 0;
  let retagged = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row(30), { maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 }),
      fc.array(row(200), { minLength: 8, maxLength: 70, size: 'max' }),
      fc.constantFrom('once', 'twice', 'with other tags'),
      async (stored, optOuts, rows, how) => {
        const [left, right] = [await started(stored, optOuts), await started(stored, optOuts)];
        const more = { once: [], twice: rows, 'with other tags': rows.map(withOtherTags) };
        const all = [...rows, ...(more[how as keyof typeof more] ?? [])];
        const asObjects = await imported(left, all, (slice) => ({ rows: slice }));
        const turnsBefore = right.one.store.durableSeq;
        const inColumns = await imported(right, all, (slice) => {
          const part = packRows(slice);
          packed += part.packed?.count ?? 0;
          return part;
        });
        t.strictSame(inColumns, asObjects);
        t.strictSame(seen(right), seen(left));
        const again = { one: new TestPartition({ store: right.one.store }), app: right.app };
        t.strictSame(seen(again), seen(right), 'after a restart');
        created += inColumnsSince(right.one, turnsBefore, 'subscribers.imported');
        retagged += inColumnsSince(right.one, turnsBefore, 'subscribers.retagged');
        if (how === 'twice') unchanged += inColumns.reduce((sum, { updated }) => sum + updated, 0);
      },
    ),
    { numRuns: tries(120) },
  );
  t.ok(packed > 200 && created > 100 && unchanged > 100, `${packed} ${created} ${unchanged}`);
  t.ok(retagged > 10, `${retagged} people got other tags`);
});

t.test('a packed row is unpacked as it was, but for its endpoints', async (t) => {
  const rows = Array.from(
    { length: 20 },
    (_, n): SubscriberInput => ({
      ...(n % 5 === 0 ? {} : { externalUserId: `customer-${n}` }),
      ...(n % 3 === 0 ? {} : { tags: { first_name: `Zoë ${n}`, seats: n, list: ['a', `${n}`] } }),
      ...(n % 2 === 0 ? {} : { timezone: 'Asia/Bangkok', preferredChannels: ['email'] }),
      devices: [
        { channel: 'email', endpoint: ` Person.${n}@Example.com` },
        { channel: 'apns', endpoint: `${n}`.padStart(64, '0'), environment: 'sandbox' },
      ],
    }),
  );
  const { rows: left, packed } = packRows(rows);
  t.ok(left.every((one) => one === null));
  if (packed === undefined) throw new Error('nothing was packed');
  for (const [at, sent] of rows.entries())
    t.strictSame(unpackedRow(packed, at), {
      ...sent,
      devices: sent.devices?.map((one) => ({
        ...one,
        endpoint: String(one.endpoint).trim().replace('E', 'e'),
      })),
    });
});

const phone = (channel: 'sms' | 'whatsapp', endpoint: string) => ({ channel, endpoint });

t.test('rows that meet stay objects', async (t) => {
  const rows = Array.from(
    { length: 20 },
    (_, n): SubscriberInput => ({
      externalUserId: `customer-${n}`,
      devices: [{ channel: 'email', endpoint: `person.${n}@example.com` }],
    }),
  );
  const left = (changed: SubscriberInput) =>
    packRows(rows.with(3, changed)).rows.flatMap((one, at) => (one === null ? [] : [at]));
  t.same(left({ externalUserId: 'customer-9' }), [3, 9], 'one person');
  const shared = { channel: 'email', endpoint: 'PERSON.12@example.com' } as const;
  t.same(left({ devices: [shared] }), [3, 12], 'one address');
  t.same(left({ tags: { plan: null } }), [3], 'what clears a tag');
  t.same(left({ devices: [{ channel: 'email', endpoint: 'nobody' }] }), [3]);
  const number = '+84912345678';
  const both = { devices: [phone('sms', number), phone('whatsapp', number)] };
  t.same(left(both), [], 'one number on two channels is two endpoints');
  const local = phone('sms', '0912 345 678');
  t.equal(left({ devices: [local] }).length, 20, 'the app knows which country the number is of');
});
