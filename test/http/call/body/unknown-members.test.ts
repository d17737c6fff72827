// Members of a body that its route does not know: found at every depth, each name once.

import fc from 'fast-check';
import t from 'tap';
import { nearName } from '../../../../actors/near-name.ts';
import { unknownMembers } from '../../../../http/call/body/unknown-members.ts';
import type { Route } from '../../../../http/call/route.ts';
import { routes } from '../../../../http/routes/index.ts';

const withBody = routes.filter(({ body, rawBody }) => body !== undefined && rawBody !== true);
const namedBy = ({ method, path }: Route) => `${method} ${path}`;
const bodyOf = (line: string) => {
  const found = withBody.find((route) => namedBy(route) === line)?.body;
  if (found === undefined) throw new Error(`no body at ${line}`);
  return found;
};
const found = (line: string, body: unknown) =>
  unknownMembers(bodyOf(line), body).map(({ field, meant }) => [field, meant]);

/** Each member of these is an attribute of the person, by any name. */
const open = new Set(['PUT /compat/customerio/api/v1/customers/:customerId']);

t.test('every example of the description is known whole, and a slip in it is named', async (t) => {
  for (const route of withBody) {
    const { body } = route;
    const examples = (body?.meta()?.['examples'] ?? []) as readonly Record<string, unknown>[];
    if (body === undefined || route.path === '/mcp') continue;
    const schema = route.membersOf?.({ channel: 'carrier' }) ?? body;
    for (const example of examples) {
      t.same(unknownMembers(schema, example), [], `${namedBy(route)}: the example`);
      const [name = ''] = Object.keys(example);
      if (name === '' || open.has(namedBy(route))) continue;
      const slip = `${name.toUpperCase()}_`;
      const [warning] = unknownMembers(schema, { ...example, [slip]: 1 });
      t.match(warning, { field: slip, meant: name }, `${namedBy(route)}: ${slip}`);
    }
  }
  t.ok(withBody.length > 50);
});

t.test('a word that many names end with is no hint at one of them', async (t) => {
  t.same(found('POST /v1/apps/:appId/in-app-messages', { name: 'Sale' }), [['name', undefined]]);
  t.equal(nearName('name', ['templateName']), undefined);
  t.equal(nearName('templateNames', ['templateName']), 'templateName');
  t.equal(nearName('eventName', ['name']), 'name');
});

t.test('members of nested objects, steps and items are looked at, each name once', async (t) => {
  const campaign = {
    messageId: 'm',
    segmentID: 's',
    scheduledAt: '2026',
    cap: 3,
    nonsense: 1,
    filter: {
      all: [
        { tag: 'plan', eq: 'pro' },
        { event: 'order', withinDays: 3 },
      ],
    },
    goal: { event: 'order', withinHours: 2, within: 3 },
    schedule: { type: 'at', at: '2026-11-23T00:00:00Z', timezone: 'UTC' },
    variants: [{ id: 'a', weight: 1, messageId: 'm', wieght: 2 }, { wieght: 2 }],
  };
  t.same(found('POST /v1/apps/:appId/campaigns', campaign), [
    ['segmentID', 'segmentId'],
    ['scheduledAt', 'schedule'],
    ['cap', 'throttle'],
    ['nonsense', undefined],
    ['goal.within', 'withinHours'],
    ['schedule.timezone', undefined],
    ['variants[0].wieght', 'weight'],
  ]);
  const steps = [
    { id: 'a', type: 'send', message: { titel: 'x' }, channel: ['email'] },
    {
      id: 'b',
      type: 'condition',
      filter: { tag: 'x', exists: true },
      then: [{ id: 'c', type: 'wait', day: 1 }],
    },
  ];
  t.same(found('POST /v1/apps/:appId/journeys', { reEntry: 'always', steps }), [
    ['reEntry', 'reentry'],
    ['steps[0].message.titel', 'title'],
    ['steps[0].channel', 'channels'],
    ['steps[1].then[0].day', 'days'],
  ]);
  const rows = Array.from({ length: 500 }, () => ({ externalUserId: 'x', device: [], tag: {} }));
  t.same(found('POST /v1/import/subscribers', { appId: 'a', rows }), [
    ['rows[0].device', 'devices'],
    ['rows[0].tag', 'tags'],
  ]);
});

t.test('what callers name freely is never a warning', async (t) => {
  t.same(
    found('POST /v1/apps/:appId/subscribers', { externalUserId: 'x', tags: { EXTERNALUSERID: 1 } }),
    [],
  );
  t.same(
    found('POST /v1/apps/:appId/notifications', {
      externalUserId: 'x',
      title: 't',
      data: { tittle: { body: 1 } },
      variables: { Title: 1 },
      payload: { fcm: { anything: 1 } },
    }),
    [],
  );
});

t.test('names that every object has are as unknown as others', async (t) => {
  const names = ['toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'watch'];
  const body = Object.fromEntries(names.map((name) => [name, 1]));
  for (const line of ['POST /v1/apps/:appId/campaigns', 'POST /v1/apps/:appId/journeys'])
    t.same(
      found(line, { ...body, steps: [{ id: 'a', type: 'send', ...body }] }).filter(
        ([, meant]) => meant !== undefined,
      ),
      [],
    );
});

t.test('at most 50 are kept, and long names are cut', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`zz${i}${'y'.repeat(99)}`, 1]),
  );
  const all = unknownMembers(bodyOf('POST /v1/apps/:appId/campaigns'), { messageId: 'm', ...many });
  t.equal(all.length, 50);
  t.ok(all.every(({ field }) => field.length <= 64));
});

t.test('a name is near if it is spelled otherwise, or one slip of the keys away', async (t) => {
  const known = ['externalUserId', 'fallbackAfterMinutes', 'filter', 'goal', 'tags'];
  t.equal(nearName('external_user_id', known), 'externalUserId');
  t.equal(nearName('FilterS', known), 'filter');
  t.equal(nearName('tgas', known), 'tags');
  t.equal(nearName('fallbackMinutes', known), undefined);
  t.equal(nearName('colour', known), undefined);
  t.equal(nearName('', known), undefined);
  t.equal(nearName('__proto__', known), undefined);
  const slips = fc.tuple(
    fc.constantFrom(...known),
    fc.nat(),
    fc.constantFrom('drop', 'swap', 'double'),
  );
  fc.assert(
    fc.property(slips, ([name, place, slip]) => {
      const at = place % (name.length - 1);
      const [left, right] = [name[at] ?? '', name[at + 1] ?? ''];
      const middle = { drop: right, swap: right + left, double: left + left + right }[slip];
      return nearName(name.slice(0, at) + middle + name.slice(at + 2), known) === name;
    }),
  );
});
