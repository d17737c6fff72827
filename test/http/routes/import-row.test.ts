import fc from 'fast-check';
import t from 'tap';
import { judgedRow, plainRow, readRow } from '../../../http/routes/audience/import-row.ts';
import { tries } from '../../support/tries.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('a\u0007b', '', 'x'.repeat(257), 'x'.repeat(256), 'Asia/Bangkok', 'email', 'sms'),
);
const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }));
const maybe = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: good, weight: 4 }, { arbitrary: anything, weight: 1 });
const channel = fc.constantFrom('email', 'sms', 'apns', 'webpush', 'pigeon');
const device = fc.record(
  {
    channel: maybe(channel),
    endpoint: anything,
    environment: maybe(fc.constantFrom('production', 'sandbox')),
    enabled: maybe(fc.boolean()),
    unknown: anything,
  },
  { requiredKeys: [] },
);
const row = fc.record(
  {
    externalUserId: maybe(fc.oneof(fc.constant(null), text)),
    tags: maybe(fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })),
    timezone: maybe(
      fc.constantFrom('UTC', 'asia/bangkok', 'EST5EDT', 'est5edt', 'Mars/Olympus', null),
    ),
    preferredChannels: maybe(fc.oneof(fc.constant(null), fc.array(channel, { maxLength: 4 }))),
    devices: maybe(fc.array(maybe(device), { maxLength: 3 })),
    unknown: anything,
  },
  { requiredKeys: [] },
);

t.test('the check by hand takes only what the schema takes, and reads it the same', async (t) => {
  let taken = 0;
  fc.assert(
    fc.property(row, (drawn) => {
      const sent = JSON.parse(JSON.stringify(drawn)) as object; // as a body brings it
      const plain = plainRow(sent);
      if (plain === undefined) return;
      taken++;
      t.strictSame(plain, judgedRow(sent), JSON.stringify(sent));
    }),
    { seed: 5, numRuns: tries(3_000) },
  );
  t.ok(taken > tries(300), `${taken} of them were plainly right`);
});

t.test('a row as people send it never needs the schema', async (t) => {
  for (const sent of [
    {},
    { externalUserId: null },
    {
      externalUserId: 'user-42',
      tags: { first_name: 'Ada', age: 41, vip: true, teams: ['a'], old: null },
      timezone: 'Asia/Bangkok',
      preferredChannels: ['email', 'sms', 'email'],
      devices: [
        { channel: 'email', endpoint: 'ada@example.com', enabled: false },
        { channel: 'apns', endpoint: 'ab'.repeat(32), environment: 'sandbox' },
      ],
    },
    { externalUserId: 'x', timezone: null, preferredChannels: null, devices: [] },
  ]) {
    t.not(plainRow(sent), undefined);
    t.strictSame(plainRow(sent), judgedRow(sent));
  }
});

t.test('a problem begins with the member that is wrong', async (t) => {
  const cases: readonly (readonly [unknown, string])[] = [
    ['text', 'row: expected an object'],
    [null, 'row: expected an object'],
    [[], 'row: expected an object'],
    [{ externalUserId: 7 }, 'externalUserId: expected a string, not a number'],
    [{ externalUserId: '' }, 'externalUserId: expected at least 1 character'],
    [{ tags: [] }, 'tags: expected an object, not an array'],
    [{ timezone: 'Mars/Olympus' }, 'timezone: is not a time zone'],
    [{ preferredChannels: ['email', 'pigeon'] }, 'preferredChannels[1]: expected one of'],
    [{ devices: new Array(51).fill({}) }, 'devices: expected at most 50 items'],
  ];
  for (const [sent, words] of cases) {
    const read = readRow(sent);
    t.ok('problem' in read && read.problem.startsWith(words), JSON.stringify(read));
  }
});

t.test('a bad device is its own problem, and begins with its member', async (t) => {
  const cases: readonly (readonly [readonly object[], string])[] = [
    [[{ channel: 'email' }], 'devices[0].endpoint: is missing'],
    [[{}, { channel: 'x', endpoint: 'y' }], 'devices[0].channel: is missing'],
  ];
  for (const [devices, words] of cases) {
    const read = readRow({ externalUserId: 'a', devices });
    const [first] = 'refused' in read ? (read.refused ?? []) : [];
    t.ok(first?.error.startsWith(words), JSON.stringify(read));
  }
});

t.test('half of a surrogate pair is looked for where there may be one', async (t) => {
  t.match(readRow({ tags: { a: ['x', '\ud800'] } }, true), {
    problem: 'tags.a[1]: holds an unpaired surrogate; expected valid Unicode',
  });
  t.match(readRow({ tags: { '\udc00': 1 } }, true), {
    problem: /^tags: has a key with an unpaired/,
  });
  t.match(readRow({ '\udc00': 1 }, true), { problem: /^row: has a key with an unpaired/ });
  t.strictSame(readRow({ externalUserId: '😀' }, true), { externalUserId: '😀' });
});

t.test('tags are in NFC, and twice the same is told', async (t) => {
  const apart = (text: string) => text.normalize('NFD');
  const tags = { [apart('thành_phố')]: apart('Hà Nội'), lists: [apart('cờ'), 'x'], n: 1 };
  t.same(readRow({ externalUserId: apart('người'), tags }), {
    externalUserId: apart('người'),
    tags: { thành_phố: 'Hà Nội', lists: ['cờ', 'x'], n: 1 },
  });
  const twice = readRow({ tags: { họ: 1, [apart('họ')]: 2 } });
  t.match(twice, {
    problem: /^tags\..*: this tag appears twice, in two normal forms of Unicode$/u,
  });
  const plain = { họ: 'Nguyễn', ที่อยู่: 'กรุงเทพฯ' };
  t.equal(plainRow({ tags: plain })?.tags, plain, 'the common row is not copied');
});
