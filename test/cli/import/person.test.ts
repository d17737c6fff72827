import fc from 'fast-check';
import t from 'tap';
import { AddressWinners } from '../../../cli/import/address-winners.ts';
import { type Endpoint, readEndpoint } from '../../../cli/import/endpoint-line.ts';
import { Person } from '../../../cli/import/person.ts';
import { packEndpoint, unpackEndpoint } from '../../../cli/import/spooled-endpoint.ts';
import { tries } from '../../support/tries.ts';

const base: Endpoint = {
  user: 'ada',
  channel: 'email',
  address: 'ada@example.com',
  isActive: true,
  isOptedOut: false,
  isVoip: false,
  wasVoice: false,
  atMs: 0,
  attributes: {},
  userAttributes: {},
};

/** The rows that endpoints make up, by their users, and what was left out. */
function merged(endpoints: readonly Endpoint[], includeOptOut = false) {
  const addresses = new AddressWinners();
  for (const [i, endpoint] of endpoints.entries()) addresses.enter(i + 1, endpoint);
  const winners = addresses.winners();
  const people = new Map<string, Person>();
  const left: string[] = [];
  for (const [i, endpoint] of endpoints.entries()) {
    const user = endpoint.user ?? '';
    const person = people.get(user) ?? new Person(i + 1, user);
    people.set(user, person);
    const packed = unpackEndpoint(packEndpoint(i + 1, endpoint));
    left.push(person.enter(packed, winners.has(i + 1), includeOptOut) ?? 'in');
  }
  return { rows: [...people.values()].map((person) => person.row()), left };
}

t.test('endpoints of one user become one row with several devices', async (t) => {
  const { rows } = merged([
    { ...base, timezone: 'Asia/Bangkok', language: 'th_TH', userAttributes: { plan: 'pro' } },
    { ...base, channel: 'sms', address: '+66812345678', isActive: false },
    { ...base, channel: 'apns', address: 'ab', environment: 'sandbox', isVoip: true },
  ]);
  t.same(rows, [
    {
      externalUserId: 'ada',
      tags: { plan: 'pro', language: 'th_TH' },
      timezone: 'Asia/Bangkok',
      devices: [
        { channel: 'email', endpoint: 'ada@example.com' },
        {
          channel: 'sms',
          endpoint: '+66812345678',
          enabled: false,
          disabledReason: 'inactive',
        },
        {
          channel: 'apns',
          endpoint: 'ab',
          environment: 'sandbox',
          enabled: false,
          disabledReason: 'voip_token',
        },
      ],
    },
  ]);
});

t.test('the newest date wins, in whatever order the lines come', async (t) => {
  const at = (atMs: number, plan: string, more: Partial<Endpoint> = {}): Endpoint => ({
    ...base,
    address: `${plan}@example.com`,
    atMs,
    attributes: { plan, [`only_${plan}`]: plan },
    timezone: `Zone/${plan}`,
    ...more,
  });
  const lines = [at(3, 'new'), at(1, 'old'), at(2, 'middle')];
  for (const order of [lines, lines.toReversed()]) {
    t.match(merged(order).rows[0], {
      timezone: 'Zone/new',
      tags: { plan: 'new', only_old: 'old', only_middle: 'middle' },
    });
  }
  const person = merged([at(9, 'endpoint'), at(1, 'x', { userAttributes: { plan: 'person' } })]);
  t.match(person.rows[0], { tags: { plan: 'person' } }, 'what the person is beats an endpoint');
  t.match(merged([at(1, 'a'), at(1, 'b')]).rows[0], { tags: { plan: 'b' } }, 'else the later line');
});

t.test('a language that was given is not replaced by that of a device', async (t) => {
  for (const given of [{ language: 'fr' }, { locale: 'fr_CA' }])
    t.same(merged([{ ...base, language: 'en_US', attributes: given }]).rows[0]?.tags, given);
});

t.test('who opted out comes in without the device, or with it when that is asked', async (t) => {
  const line = { ...base, isOptedOut: true, attributes: { a: 'b' } };
  t.same(merged([line]).rows, [{ externalUserId: 'ada', tags: { a: 'b' } }]);
  t.same(merged([line]).left, ['opted_out']);
  t.match(merged([line], true).rows[0]?.devices, [{ endpoint: 'ada@example.com' }]);
});

t.test(
  'whose address is wrong comes in without the device, which takes nobody else’s',
  async (t) => {
    const { address: _, ...without } = { ...base, attributes: { a: 'b' } };
    for (const lacks of ['address_missing', 'address_invalid'] as const) {
      const line: Endpoint = { ...without, lacks };
      const { rows, left } = merged(
        [line, { ...line, user: 'bob' }, { ...base, user: 'cleo' }],
        true,
      );
      t.same(left, [lacks, lacks, 'in']);
      t.same(rows, [
        { externalUserId: 'ada', tags: { a: 'b' } },
        { externalUserId: 'bob', tags: { a: 'b' } },
        { externalUserId: 'cleo', devices: [{ channel: 'email', endpoint: 'ada@example.com' }] },
      ]);
    }
  },
);

t.test(
  'of lines with one address one speaks for it: texts, then active, then new ones',
  async (t) => {
    const table: [what: string, lines: readonly Partial<Endpoint>[], left: readonly string[]][] = [
      ['newer', [{ atMs: 2 }, { atMs: 1 }], ['in', 'address_superseded']],
      ['later of the same date', [{}, {}], ['address_superseded', 'in']],
      ['active', [{ atMs: 1 }, { atMs: 9, isActive: false }], ['in', 'address_superseded']],
      ['texts', [{ atMs: 1 }, { atMs: 9, wasVoice: true }], ['in', 'address_superseded']],
      ['a former owner', [{}, { user: 'bob', isActive: false }], ['in', 'address_superseded']],
      ['an opt-out', [{ atMs: 9, isOptedOut: true }, {}], ['opted_out', 'address_superseded']],
      ['case', [{ address: 'ADA@example.com' }, {}], ['address_superseded', 'in']],
      ['channel', [{ channel: 'fcm' }, {}], ['in', 'in']],
    ];
    for (const [what, lines, left] of table)
      t.same(merged(lines.map((line) => ({ ...base, ...line }))).left, left, what);
  },
);

t.test('a person keeps the 50 devices that are the newest and active', async (t) => {
  const lines = Array.from({ length: 60 }, (_, i) => ({
    ...base,
    address: `a${i}@example.com`,
    atMs: i,
    isActive: i % 2 === 0 || i > 20,
  }));
  const { rows, left } = merged(lines);
  const kept = rows[0]?.devices?.map(({ endpoint }) => endpoint) ?? [];
  t.equal(kept.length, 50);
  t.equal(left.filter((one) => one === 'too_many_devices').length, 10);
  t.same(
    kept,
    lines
      .filter(({ atMs, isActive }) => isActive || atMs > 20)
      .slice(-50)
      .map((l) => l.address),
  );
});

t.test('every address has one line that speaks for it, as a plain map says', async () => {
  const endpoint = fc.record({
    address: fc.integer({ min: 0, max: 3_000 }).map((n) => `a${n}`),
    atMs: fc.integer({ min: 0, max: 5 }),
    isActive: fc.boolean(),
    wasVoice: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(endpoint, { maxLength: 5_000, size: 'max' }), (made) => {
      const table = new AddressWinners();
      const model = new Map<string, { line: number; rank: string }>();
      for (const [i, one] of made.entries()) {
        table.enter(i + 1, { ...base, ...one });
        const rank = `${one.wasVoice ? 0 : 1}${one.isActive ? 1 : 0}${one.atMs}`;
        const best = model.get(one.address);
        if (best === undefined || rank >= best.rank) model.set(one.address, { line: i + 1, rank });
      }
      const winners = table.winners();
      const expected = new Set([...model.values()].map(({ line }) => line));
      return made.every((_, i) => winners.has(i + 1) === expected.has(i + 1));
    }),
    { seed: 5, numRuns: tries(30) },
  );
});

t.test('an endpoint is the same after the spool', async (t) => {
  const full = readEndpoint(
    '{"ChannelType":"APNS_VOIP_SANDBOX","Address":"' +
      'ab'.repeat(32) +
      '","OptOut":"ALL","EndpointStatus":"INACTIVE","EffectiveDate":"2018-05-07T19:03:29.963Z","Demographic":{"Locale":"en","Timezone":"UTC"},"Attributes":{"a":["\u2028 \\n","b"]},"User":{"UserId":"0","UserAttributes":{"n":1,"t":true}}}',
  );
  if ('skipped' in full) throw new Error(full.skipped);
  const { wasVoice: _, ...expected } = full.endpoint;
  t.same(unpackEndpoint(packEndpoint(7, full.endpoint)), { line: 7, ...expected });
});
