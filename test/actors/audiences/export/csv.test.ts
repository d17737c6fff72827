import fc from 'fast-check';
import t from 'tap';
import { csvHeader, csvLine, subscriberLine } from '../../../../actors/audiences/export/csv.ts';
import type { PublicSubscriber } from '../../../../actors/people/audience/public-view.ts';
import { parseCsv, undefused } from '../../../support/strict-csv.ts';
import { tries } from '../../../support/tries.ts';

const seed = 33;
const nasty = fc.string({
  unit: fc.constantFrom(...'=+-@\t\r\n\'",;|＝＠a1 é😀\0'),
  maxLength: 8,
});
const text = fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 20 }));
const at = '2026-09-21T14:13:20.000Z';

t.test('a strict reader gets every cell back as it was', async (t) => {
  const records = fc
    .integer({ min: 1, max: 5 })
    .chain((columns) =>
      fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { minLength: 1 }),
    );
  fc.assert(
    fc.property(records, (cells) => {
      const read = parseCsv(cells.map(csvLine).join(''));
      t.strictSame(
        read.map((record) => record.map(undefused)),
        cells,
      );
    }),
    { seed, numRuns: tries(500) },
  );
});

t.test('no cell begins as a formula, quoted or not', async (t) => {
  fc.assert(
    fc.property(text, (cell) => {
      const [[read = ''] = []] = parseCsv(csvLine([cell]));
      t.notMatch(read, /^[=+\-@\t\r\n＝＋－＠]/);
    }),
    { seed, numRuns: tries(500) },
  );
  for (const [cell, written] of [
    ['=1+1', "'=1+1"],
    ['-5', "'-5"],
    ['+66812345678', "'+66812345678"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ["'=1", "''=1"],
    ["'quoted'", "'quoted'"],
    ['a=1', 'a=1'],
    ['', ''],
  ] as const)
    t.equal(csvLine([cell]), `${written}\r\n`, cell);
});

t.test('a person reads back member by member', async (t) => {
  const tag = fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.array(text));
  const instant = fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString());
  const person: fc.Arbitrary<PublicSubscriber> = fc.record({
    id: fc.constant('sub_00000000000000000000000000'),
    externalUserId: fc.oneof(
      fc.constant(null),
      text.filter((id) => id !== ''),
    ),
    devices: fc.array(
      fc.record({
        id: fc.constant('dev_1'),
        channel: fc.constantFrom('email', 'webpush'),
        endpoint: fc.oneof(
          text,
          fc.record({ endpoint: text, keys: fc.record({ p256dh: text, auth: text }) }),
        ),
        enabled: fc.boolean(),
        disabledReason: fc.oneof(fc.constant(undefined), text),
        environment: fc.constantFrom(undefined, 'production' as const),
        createdAt: instant,
        updatedAt: instant,
        suppressed: fc.constantFrom(null, {
          scope: 'all' as const,
          reason: 'said "no"',
          source: 'api',
          at: null,
        }),
        reachable: fc.boolean(),
      }),
    ),
    tags: fc.dictionary(text, tag),
    preferredChannels: fc.constantFrom(null, ['email'], ['sms', 'fcm']),
    timezone: fc.constantFrom(null, 'Asia/Bangkok'),
    createdAt: instant,
    updatedAt: instant,
    lastActiveAt: fc.oneof(fc.constant(null), instant),
  });
  fc.assert(
    fc.property(person, (shown) => {
      const [header = [], cells = []] = parseCsv(csvHeader + subscriberLine(shown));
      t.equal(
        header.join(),
        'id,externalUserId,devices,tags,preferredChannels,timezone,createdAt,updatedAt,lastActiveAt',
      );
      const read = Object.fromEntries(header.map((name, i) => [name, undefused(cells[i] ?? '')]));
      const { devices = '', tags = '', preferredChannels = '' } = read;
      t.same(
        {
          ...read,
          externalUserId: read['externalUserId'] || null,
          devices: JSON.parse(devices),
          tags: JSON.parse(tags),
          preferredChannels: preferredChannels === '' ? null : preferredChannels.split('|'),
          timezone: read['timezone'] || null,
          lastActiveAt: read['lastActiveAt'] || null,
        },
        JSON.parse(JSON.stringify(shown)),
      );
    }),
    { seed, numRuns: tries(300) },
  );
});

t.test('what is null is empty, and the header names the members', async (t) => {
  t.equal(
    csvHeader,
    'id,externalUserId,devices,tags,preferredChannels,timezone,createdAt,updatedAt,lastActiveAt\r\n',
  );
  const line = subscriberLine({
    id: 'sub_1',
    externalUserId: null,
    devices: [],
    tags: { plan: 'pro', 'a b': ['x', 'y'] },
    preferredChannels: ['email', 'sms'],
    timezone: null,
    createdAt: at,
    updatedAt: at,
    lastActiveAt: null,
  });
  t.equal(line, `sub_1,,[],"{""plan"":""pro"",""a b"":[""x"",""y""]}",email|sms,,${at},${at},\r\n`);
});
