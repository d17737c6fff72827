// Every rule of the filter language, each with the place and the words of its refusal.

import fc from 'fast-check';
import t from 'tap';
import type { Filter } from '../../../../actors/audiences/segments/filter.ts';
import { eachCondition, longestWindowDays } from '../../../../actors/audiences/segments/filter.ts';
import { parseFilter } from '../../../../actors/audiences/segments/parse-filter.ts';
import { tries } from '../../../support/tries.ts';

const bounds = { retentionDays: 90 };
const parse = (input: unknown) => parseFilter(input, bounds);

t.test('what the specification lists is taken as it stands', async (t) => {
  const filters: Filter[] = [
    { tag: 'plan', eq: 'pro' },
    { tag: 'plan', ne: 3 },
    { tag: 'plan', exists: false },
    { tag: 'plan', in: ['pro', 1, true] },
    { event: 'opened', withinDays: 30 },
    { event: 'order', withinDays: 90, atLeast: 3 },
    { event: 'order', notWithinDays: 1 },
    { activeWithinDays: 7 },
    { inactiveForDays: 14 },
    { channel: 'fcm' },
    { channel: 'email', exists: false },
    { all: [{ any: [{ all: [{ channel: 'sms' }] }] }, { activeWithinDays: 1 }] },
  ];
  for (const filter of filters) t.same(parse(filter), { filter }, JSON.stringify(filter));
});

t.test('an explicit null is no member', async (t) => {
  t.same(parse({ tag: 'a', eq: 1, event: null, all: null, atLeast: null }), {
    filter: { tag: 'a', eq: 1 },
  });
  t.same(parse({ event: 'x', withinDays: 1, atLeast: 1 }), {
    filter: { event: 'x', withinDays: 1 },
  });
});

const refused: readonly (readonly [unknown, string, RegExp])[] = [
  [null, 'filter', /expected an object/],
  [[], 'filter', /expected an object/],
  ['all', 'filter', /expected an object/],
  [{}, 'filter', /expected one of all, any, tag/],
  [{ exists: true }, 'filter', /expected one of/],
  [{ where: 'x' }, 'filter.where', /^filter.where: unknown; expected one of all, any, tag, event/],
  [{ tags: 'a', eq: 1 }, 'filter.tags', /unknown; did you mean tag\? Expected one of all, any/],
  [{ and: [] }, 'filter.and', /unknown; did you mean all\?/],
  [
    { tag: 'a', eq: 1, where: {} },
    'filter.where',
    /^filter.where: unknown; a tag condition has tag, eq, ne, exists, in$/,
  ],
  [{ tag: 'a', equals: 1 }, 'filter.equals', /unknown; did you mean eq\? A tag condition has tag/],
  [{ tag: 'a', eq: 1, note: null }, 'filter.note', /unknown; a tag condition has/],
  [{ tag: 'a', eq: 1, within_days: 3 }, 'filter.within_days', /unknown; a tag condition has/],
  [{ event: 'x', within_days: 3 }, 'filter.within_days', /unknown; did you mean withinDays\?/],
  [{ event: 'x', withinDays: 3, atleast: 2 }, 'filter.atleast', /did you mean atLeast\?/],
  [{ activeWithinDays: 3, operator: 'or' }, 'filter.operator', /an activity condition has active/],
  [{ inactiveForDays: 3, event_: 1 }, 'filter.event_', /an inactivity condition has inactive/],
  [{ channel: 'sms', constructor: 1 }, 'filter.constructor', /a channel condition has channel, ex/],
  [{ all: [{ channel: 'sms' }], operator: 'or' }, 'filter.operator', /a group has all alone/],
  [{ any: [{ channel: 'sms' }], eq: 1 }, 'filter.eq', /unknown; a group has any alone/],
  [
    { all: [{ channel: 'sms' }, { any: [{ tag: 'a', eq: 1, where: 1 }] }] },
    'filter.all[1].any[0].where',
    /unknown; a tag condition has/,
  ],
  [{ tag: 'a', eq: 1, ['x'.repeat(99)]: 1 }, `filter.${'x'.repeat(64)}`, /unknown/],
  [{ all: [] }, 'filter.all', /is empty/],
  [{ any: {} }, 'filter.any', /expected a list/],
  [{ all: [{ tag: 'a', eq: 1 }], any: [{ tag: 'a', eq: 1 }] }, 'filter', /both all and any/],
  [
    { all: [{ tag: 'a', eq: 1 }], tag: 'b' },
    'filter',
    /mixes the group all with the condition tag/,
  ],
  [{ tag: 'a', eq: 1, event: 'x' }, 'filter', /mixes kinds \(tag and event\)/],
  [{ activeWithinDays: 1, inactiveForDays: 1 }, 'filter', /mixes kinds/],
  [{ tag: 'a', eq: 1, ne: 2 }, 'filter', /both eq and ne/],
  [{ tag: 'a' }, 'filter', /expected tag with one of eq, ne, exists, in/],
  [{ tag: '', eq: 1 }, 'filter.tag', /1 to 128 characters/],
  [{ tag: 7, eq: 1 }, 'filter.tag', /expected a string/],
  [{ tag: 'a', eq: [] }, 'filter.eq', /a string, a number or a boolean/],
  [{ tag: 'a', eq: null }, 'filter.eq', /null is not a value; to match people without the tag/],
  [{ tag: 'a', in: null }, 'filter.in', /null is not a value$/],
  [{ event: 'a', withinDays: null }, 'filter.withinDays', /null is not a value$/],
  [{ tag: '$x', eq: 1 }, 'filter.tag', /start with \$ are reserved, so nobody has this tag/],
  [{ tag: 'x'.repeat(129), eq: 1 }, 'filter.tag', /1 to 128 characters/],
  [{ tag: '__proto__', exists: true }, 'filter.tag', /not allowed/],
  [{ tag: 'a\u0000', exists: false }, 'filter.tag', /control characters/],
  [{ tag: 'a', in: [] }, 'filter.in', /1 to 1000 values/],
  [{ tag: 'a', in: ['x', {}] }, 'filter.in[1]', /a string, a number or a boolean/],
  [{ tag: 'a', exists: 'no' }, 'filter.exists', /true or false/],
  [{ tag: 'a', eq: 1, withinDays: 3 }, 'filter.withinDays', /cannot be used in a tag condition/],
  [{ event: 'x' }, 'filter', /expected event with one of withinDays, notWithinDays/],
  [{ event: 'x', withinDays: 1, notWithinDays: 2 }, 'filter', /both withinDays and notWithinDays/],
  [
    { event: 'x', notWithinDays: 2, atLeast: 2 },
    'filter.atLeast',
    /can only be used with withinDays/,
  ],
  [{ event: 'x', withinDays: 0 }, 'filter.withinDays', /whole number of days from 1 to 90/],
  [{ event: 'x', withinDays: 91 }, 'filter.withinDays', /from 1 to 90/],
  [{ event: 'x', withinDays: 1.5 }, 'filter.withinDays', /whole number/],
  [{ event: 'x', withinDays: '7' }, 'filter.withinDays', /whole number/],
  [{ event: 'x', withinDays: 7, atLeast: 0 }, 'filter.atLeast', /from 1 to/],
  [{ event: 'x', withinDays: 7, eq: 1 }, 'filter.eq', /cannot be used in an event condition/],
  [
    { activeWithinDays: 7, exists: true },
    'filter.exists',
    /cannot be used in an activity condition/,
  ],
  [{ channel: 'fax' }, 'filter.channel', /expected one of/],
  [{ channel: 'sms', eq: true }, 'filter.eq', /cannot be used in a channel condition/],
  [
    { any: [{ channel: 'sms' }, { all: [{ event: 'x', withinDays: 100 }] }] },
    'filter.any[1].all[0].withinDays',
    /from 1 to 90/,
  ],
  [
    { all: [{ all: [{ all: [{ all: [{ channel: 'sms' }] }] }] }] },
    'filter.all[0].all[0].all[0]',
    /three|3 levels/,
  ],
  [
    { any: Array.from({ length: 101 }, () => ({ channel: 'sms' })) },
    'filter.any[100]',
    /more than 100 conditions/,
  ],
];

t.test('what is wrong is said where it stands', async (t) => {
  for (const [input, field, words] of refused) {
    const result = parse(input);
    if (!('fault' in result)) {
      t.fail(`${JSON.stringify(input)} was taken`);
      continue;
    }
    t.equal(result.fault.field, field, JSON.stringify(input));
    t.match(result.fault.message, words);
    t.ok(result.fault.message.startsWith(`${field}: `));
  }
});

t.test('no window is longer than the app keeps events', async (t) => {
  t.match(parseFilter({ all: [{ inactiveForDays: 31 }] }, { retentionDays: 30 }), {
    fault: {
      field: 'filter.all[0].inactiveForDays',
      message: /31 days is longer than this app keeps events \(30 days\)/,
    },
  });
});

t.test('conditions are visited with their paths, and the longest window is found', async (t) => {
  const filter: Filter = {
    any: [{ channel: 'sms' }, { all: [{ activeWithinDays: 3 }, { event: 'x', notWithinDays: 9 }] }],
  };
  const paths: string[] = [];
  eachCondition(filter, (_condition, path) => paths.push(path));
  t.same(paths, ['filter.any[0]', 'filter.any[1].all[0]', 'filter.any[1].all[1]']);
  t.equal(longestWindowDays(filter), 9);
  t.equal(longestWindowDays({ tag: 'a', eq: 1 }), 0);
});

t.test('whatever is sent, the answer is a filter or a fault that names a field', async () => {
  const name = fc.constantFrom(
    'all',
    'any',
    'tag',
    'event',
    'eq',
    'ne',
    'in',
    'exists',
    'withinDays',
    'atLeast',
    'channel',
    'activeWithinDays',
    '__proto__',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (input) => {
      const result = parse(input);
      return 'filter' in result
        ? JSON.stringify(parse(result.filter)) === JSON.stringify(result)
        : result.fault.field?.startsWith('filter') === true;
    }),
    { seed: 11, numRuns: tries(3_000) },
  );
});

t.test('names and values are in NFC, as they are stored', async (t) => {
  const written: Filter = {
    all: [
      { tag: 'thành_phố', eq: 'Hà Nội' },
      { tag: 'thành_phố', ne: 'Huế' },
      { tag: 'thành_phố', in: ['Hà Nội', 'Huế', 3] },
      { event: 'mua_hàng', withinDays: 30 },
    ],
  };
  const apart = JSON.parse(JSON.stringify(written).normalize('NFD'));
  t.notSame(apart, written);
  t.same(parse(apart), { filter: written });
  t.match(parse({ tag: '\u0958'.repeat(65), exists: true }), { fault: { field: 'filter.tag' } });
});
