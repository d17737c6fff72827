// The description of filters against the actor that judges them: what one takes the other takes,
// and no mixture.

import fc from 'fast-check';
import t from 'tap';
import { parseFilter } from '../../../actors/audiences/segments/parse-filter.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { type JsonSchema, resolveIn } from '../../../http/call/schemas/json-schema.ts';
import { loadReferenceFiles } from '../../../http/describe/docs-page.ts';
import { describeApi } from '../../../http/describe/outside-routes.ts';
import { routes } from '../../../http/routes/index.ts';
import { drawFilter } from '../../simulation/segment-work.ts';
import { tries } from '../../support/tries.ts';

const document = describeApi(routes, 'http://127.0.0.1:8400');
const { schemas } = document.components;
const filter = schemas['Filter'] ?? {};
const judged = (input: unknown) => 'filter' in parseFilter(input, { retentionDays: 90 });

/**
 * As much of a JSON Schema validator as the description of a filter needs; any other keyword would
 * be passed over.
 */
function isValid(schema: JsonSchema, value: unknown): boolean {
  const s = resolveIn(schemas, schema);
  const { anyOf, not, items } = s;
  if (s.type !== undefined && ![s.type].flat().some((type) => isOfType(type, value))) return false;
  if (s.enum !== undefined && !s.enum.includes(value)) return false;
  if (anyOf !== undefined && !anyOf.some((one) => isValid(one, value))) return false;
  if (not !== undefined && isValid(not, value)) return false;
  if (typeof value === 'string') {
    if (value.length < (s.minLength ?? 0) || value.length > (s.maxLength ?? Infinity)) return false;
    if (s.pattern !== undefined && !new RegExp(s.pattern, 'u').test(value)) return false;
  }
  if (
    typeof value === 'number' &&
    (value < (s.minimum ?? -Infinity) || value > (s.maximum ?? Infinity))
  )
    return false;
  if (Array.isArray(value)) {
    if (value.length < (s.minItems ?? 0) || value.length > (s.maxItems ?? Infinity)) return false;
    return items === undefined || value.every((item) => isValid(items, item));
  }
  if (!isOfType('object', value)) return true;
  const members = value as Readonly<Record<string, unknown>>;
  if (s.required?.some((name) => !Object.hasOwn(members, name))) return false;
  const { properties = {} } = s;
  if (
    s.additionalProperties === false &&
    Object.keys(members).some((name) => !(name in properties))
  )
    return false;
  return Object.entries(properties).every(
    ([name, member]) => !Object.hasOwn(members, name) || isValid(member, members[name]),
  );
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

t.test('every filter that is drawn is as the description says', async (t) => {
  const rng = seededRng(5);
  for (let i = 0; i < 500; i++) {
    const drawn = drawFilter(rng);
    t.ok(judged(drawn) && isValid(filter, drawn), JSON.stringify(drawn));
  }
});

const number = fc.constantFrom(-1, 0, 1, 2.5, 7, 90, 91);
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('a', '', '$x', 'fcm', true, [], ['a'], {}),
  number,
);
const condition = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      'tag',
      'eq',
      'ne',
      'exists',
      'in',
      'event',
      'withinDays',
      'notWithinDays',
      'atLeast',
      'activeWithinDays',
      'inactiveForDays',
      'channel',
      'note',
    ),
    value,
    { maxKeys: 4 },
  ),
  fc.record({ tag: value, eq: value }),
  fc.record({ tag: fc.constant('a'), in: value }),
  fc.record({ tag: fc.constant('a'), ne: value }),
  fc.record({ activeWithinDays: number }),
  fc.record({ event: fc.constant('a'), notWithinDays: number }),
  fc.record({ channel: fc.constant('fcm') }),
  fc.record(
    { event: value, withinDays: number, atLeast: number },
    { requiredKeys: ['event', 'withinDays'] },
  ),
  fc.record({ channel: value, exists: value }, { requiredKeys: ['channel'] }),
);
const anything = fc.oneof(
  condition,
  fc.record({ all: fc.oneof(value, fc.array(condition, { maxLength: 2 })) }),
  fc.record({ any: fc.array(condition, { maxLength: 2 }), tag: value }, { requiredKeys: ['any'] }),
);

t.test(
  'whatever is sent, the description says what the actor says, mixtures included',
  async (t) => {
    let taken = 0;
    fc.assert(
      fc.property(anything, (sent) => {
        if (judged(sent)) taken++;
        return isValid(filter, sent) === judged(sent);
      }),
      { seed: 11, numRuns: tries(5_000) },
    );
    t.ok(taken > tries(300), `${taken} of them are filters`);
  },
);

t.test('the reference unfolds the kinds of a filter, once', async (t) => {
  const page = loadReferenceFiles(document)[0]?.text ?? '';
  t.match(page, /event did not happen/);
  t.match(page, /reachable on a channel/);
  const uses = page.split('inactive, and created at least that long ago').length - 1;
  t.ok(uses > 3 && uses < 60, `${uses} times`);
});
