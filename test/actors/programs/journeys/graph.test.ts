// Every rule of a journey's graph, each with the place and the words of its refusal.

import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { acceptGraph, savedMessagesFault } from '../../../../actors/programs/journeys/graph.ts';
import type { Step } from '../../../../actors/programs/journeys/steps.ts';
import { eachStep } from '../../../../actors/programs/journeys/steps.ts';
import { noTemplates } from '../../../support/step-templates.ts';
import { tries } from '../../../support/tries.ts';
import { graphs } from './support/graphs.ts';

const bounds = { retentionDays: 30 };
const filter = { tag: 'plan', eq: 'pro' };
const wait = (id: string) => ({ id, type: 'wait', days: 1 });
const nested = (levels: number): unknown =>
  levels === 0
    ? wait('w')
    : { id: `c${levels}`, type: 'condition', filter, then: [nested(levels - 1)] };

t.test('what the contract lists is taken as it stands', async (t) => {
  const steps: Step[] = [
    { id: 'a', type: 'wait', minutes: 43_200, note: 'Support asked for a month.' },
    { id: 'b', type: 'wait', hours: 720 },
    { id: 'c', type: 'wait', days: 30 },
    { id: 'd', type: 'send', messageId: 'msg_1', stream: 'transactional' },
    { id: 'e', type: 'send', message: { title: 'Hello', body: '{{ name }}' }, channels: ['email'] },
    { id: 'f', type: 'condition', filter, then: [] },
    {
      id: 'g',
      type: 'condition',
      filter: { event: 'order', withinDays: 30 },
      then: [{ id: 'h', type: 'goal', event: 'order', timeoutHours: 2_160 }],
      else: [],
    },
  ];
  t.same(acceptGraph(steps, bounds, noTemplates), { steps });
});

t.test('the other forms of a step come out in one', async (t) => {
  const given = [
    { id: 'b', type: 'branch', filter, then: [wait('w')], else: null, note: null, ours: 1 },
    { id: 's', type: 'send', messageId: 'msg_1', message: null, channels: ['sms', 'fcm', 'sms'] },
    { id: 'i', type: 'send', message: { body: 'x', ours: 1 } },
  ];
  t.same(acceptGraph(given, bounds, noTemplates), {
    steps: [
      { id: 'b', type: 'condition', filter, then: [wait('w')] },
      { id: 's', type: 'send', messageId: 'msg_1', channels: ['fcm', 'sms'] },
      { id: 'i', type: 'send', message: { body: 'x' } },
    ],
  });
});

/** A step beside one that is right, the member that is wrong, and what is said of it. */
const refused: readonly (readonly [step: unknown, member: string, words: RegExp])[] = [
  [null, '', /^steps\[1\]: expected a step/],
  [[], '', /expected a step/],
  [{ type: 'wait', days: 1 }, '.id', /^steps\[1\]\.id: expected a string of 1 to 128 characters/],
  [{ id: '', type: 'wait', days: 1 }, '.id', /expected a string/],
  [{ id: 7, type: 'wait', days: 1 }, '.id', /expected a string/],
  [{ ...wait('n'), note: '' }, '.note', /expected a string of 1 to 500 characters/],
  [{ ...wait('n'), note: 'x'.repeat(501) }, '.note', /expected a string of 1 to 500/],
  [{ ...wait('n'), note: 7 }, '.note', /expected a string of 1 to 500/],
  [{ id: 'x'.repeat(129), type: 'wait', days: 1 }, '.id', /expected a string/],
  [{ id: 'a\nb', type: 'wait', days: 1 }, '.id', /control characters/],
  [{ id: '__proto__', type: 'wait', days: 1 }, '.id', /is not allowed/],
  [{ id: 'first', type: 'wait', days: 1 }, '.id', /duplicates the id of steps\[0\]/],
  [{ id: 'x' }, '.type', /expected one of wait, send, condition, goal/],
  [{ id: 'x', type: 'sleep' }, '.type', /^steps\[1\] \("x"\)\.type: expected one of/],
  [{ id: 'x', type: 'wait' }, '', /expected one of minutes, hours, days/],
  [{ id: 'x', type: 'wait', days: 1, hours: 1 }, '', /both hours and days/],
  [{ id: 'x', type: 'wait', days: 0 }, '.days', /expected a whole number from 1 to 30$/],
  [{ id: 'x', type: 'wait', days: 31 }, '.days', /from 1 to 30$/],
  [{ id: 'x', type: 'wait', hours: 721 }, '.hours', /from 1 to 720$/],
  [{ id: 'x', type: 'wait', minutes: 43_201 }, '.minutes', /from 1 to 43200$/],
  [{ id: 'x', type: 'wait', minutes: 1.5 }, '.minutes', /whole number/],
  [{ id: 'x', type: 'wait', minutes: '5' }, '.minutes', /whole number/],
  [{ id: 'x', type: 'send' }, '', /expected one of messageId, message/],
  [{ id: 'x', type: 'send', messageId: 'msg_1', message: {} }, '', /both messageId and message/],
  [{ id: 'x', type: 'send', messageId: 5 }, '.messageId', /expected a message id/],
  [{ id: 'x', type: 'send', messageId: 'm', channels: 'fcm' }, '.channels', /expected a list/],
  [{ id: 'x', type: 'send', messageId: 'm', channels: [] }, '.channels', /is empty/],
  [
    { id: 'x', type: 'send', messageId: 'm', channels: ['fcm', 'fax'] },
    '.channels[1]',
    /expected one of fcm, apns/,
  ],
  [
    { id: 'x', type: 'send', messageId: 'm', stream: 'fast' },
    '.stream',
    /expected one of transactional, marketing/,
  ],
  [
    { id: 'x', type: 'send', messageId: 'm', channels: ['sms'], stream: 'transactional' },
    '.stream',
    /is for email, which is none of the channels/,
  ],
  [{ id: 'x', type: 'send', message: 'hello' }, '.message', /expected an object/],
  [{ id: 'x', type: 'send', message: { title: 'x' } }, '.message.body', /is missing/],
  [
    { id: 'x', type: 'send', message: { body: 5 } },
    '.message.body',
    /^steps\[1\] \("x"\)\.message\.body: expected string/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x', buttons: [{ label: 1 }] } },
    '.message.buttons[0].label',
    /expected string/,
  ],
  [
    { id: 'x', type: 'send', message: { body: '{{ a | nofilter }}' } },
    '.message.body',
    /^steps\[1\] \("x"\)\.message\.body: undefined filter: nofilter/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x', payload: { whatsapp: {} } } },
    '.message.payload.whatsapp.templateName',
    /approved template/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x', templateId: 'tpl_x' } },
    '.message.templateId',
    /message\.templateId: template not found: tpl_x/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x', title: 'x' }, channels: ['kakao'] },
    '.message.payload.kakao',
    /is missing; kakao can only show an approved template/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x', title: 'x' }, channels: ['fcm', 'whatsapp'] },
    '.message.payload.whatsapp',
    /is missing; a step that targets whatsapp/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x' }, channels: ['sms', 'email'] },
    '.message.title',
    /is missing; email needs it/,
  ],
  [
    { id: 'x', type: 'send', message: { title: 'x' }, channels: ['sms'] },
    '.message.body',
    /is missing; sms/,
  ],
  [
    { id: 'x', type: 'send', message: { body: 'x'.repeat(600_000) } },
    '.message.body',
    /expected string to have <=/,
  ],
  [{ id: 'x', type: 'condition', then: [] }, '.filter', /expected an object/],
  [
    { id: 'x', type: 'condition', filter: { any: [{ event: 'a', withinDays: 31 }] }, then: [] },
    '.filter.any[0].withinDays',
    /^steps\[1\] \("x"\)\.filter\.any\[0\]\.withinDays: 31 days is longer than this app keeps/,
  ],
  [{ id: 'x', type: 'condition', filter }, '.then', /expected a list of steps/],
  [{ id: 'x', type: 'condition', filter, then: [], else: {} }, '.else', /expected a list/],
  [
    {
      id: 'x',
      type: 'condition',
      filter,
      then: [],
      else: [{ id: 'nudge', type: 'wait', minutes: 0 }],
    },
    '.else[0].minutes',
    /^steps\[1\]\.else\[0\] \("nudge"\)\.minutes: expected a whole number from 1 to 43200$/,
  ],
  [
    { id: 'x', type: 'condition', filter, then: [{ id: 'x', type: 'wait', days: 1 }] },
    '.then[0].id',
    /duplicates the id of steps\[1\]/,
  ],
  [{ id: 'x', type: 'goal', timeoutHours: 1 }, '.event', /expected a string of 1 to 128/],
  [{ id: 'x', type: 'goal', event: 'order' }, '.timeoutHours', /from 1 to 2160$/],
  [{ id: 'x', type: 'goal', event: 'order', timeoutHours: 2161 }, '.timeoutHours', /to 2160$/],
  [{ id: 'x', type: 'goal', event: 'order', timeoutHours: 0 }, '.timeoutHours', /from 1/],
];

t.test('every refusal says which step, by place and id, and what was expected', async (t) => {
  for (const [step, member, words] of refused) {
    const answer = acceptGraph([wait('first'), step], bounds, noTemplates);
    const name = JSON.stringify(step).slice(0, 120);
    if (!('fault' in answer)) {
      t.fail(name);
      continue;
    }
    const code = words.source.includes('not found') ? 'not_found' : 'invalid';
    t.match(answer.fault, { code, field: `steps[1]${member}` }, name);
    t.match(answer.fault.message, words, name);
    const id = (step as { id?: unknown } | null)?.id;
    if (typeof id === 'string' && !member.startsWith('.id') && !/[.](then|else)\[/.test(member))
      t.ok(answer.fault.message.startsWith(`steps[1] (${JSON.stringify(id)})`), name);
  }
});

t.test('a graph has steps, 200 at most, and conditions nest to ten', async (t) => {
  const fault = (steps: unknown) => {
    const answer = acceptGraph(steps, bounds, noTemplates);
    return 'fault' in answer ? answer.fault.message : undefined;
  };
  t.match(fault(undefined), /^steps: expected a list/);
  t.match(fault([]), /^steps: is empty/);
  const many = Array.from({ length: limits.journeyStepsMax }, (_, i) => wait(`w${i}`));
  t.equal(fault(many), undefined);
  t.match(fault([...many, wait('more')]), /^steps\[200\] \("more"\): a journey has at most 200/);
  t.equal(fault([nested(10)]), undefined);
  t.match(fault([nested(11)]), /\("c1"\): conditions nest to at most 10 levels/);
  const asking = Array.from({ length: 11 }, (_, i) => ({
    id: `c${i}`,
    type: 'condition',
    filter: { any: Array.from({ length: i < 10 ? 100 : 1 }, () => filter) },
    then: [],
  }));
  t.equal(fault(asking.slice(0, 10)), undefined);
  t.match(
    fault(asking),
    /^steps\[10\] \("c10"\)\.filter: the filters of a journey have at most 1000/,
  );
  const long = Array.from({ length: 6 }, (_, i) => ({
    id: `s${i}`,
    type: 'send',
    message: { body: `<p>${'x'.repeat(99_000)}</p>` },
  }));
  t.match(fault(long), /^steps: expected at most 524288 characters/);
});

t.test('a saved message has to be there and to fit the channels that its step names', async (t) => {
  const send = (messageId: string, channels?: string[]) => ({
    id: messageId,
    type: 'send',
    messageId,
    ...(channels === undefined ? {} : { channels }),
  });
  const judged = (...steps: unknown[]) => {
    const answer = acceptGraph(
      [{ id: 'c', type: 'condition', filter, then: [], else: steps }],
      bounds,
      noTemplates,
    );
    if ('fault' in answer) throw new Error(answer.fault.message);
    return savedMessagesFault(answer.steps, (id) => (id === 'text' ? { body: 'x' } : undefined));
  };
  t.equal(judged(send('text'), { id: 'i', type: 'send', message: { body: 'x' } }), undefined);
  t.equal(judged(send('text', ['sms'])), undefined);
  t.match(judged(send('text'), send('gone')), {
    field: 'steps[0].else[1].messageId',
    message: 'steps[0].else[1] ("gone").messageId: message not found',
  });
  t.match(judged(send('text', ['whatsapp'])), {
    message: /messageId: this message cannot be used; payload\.whatsapp: is missing/,
  });
});

t.test(
  'a graph that was accepted is accepted again, unchanged; places lead to steps',
  async (t) => {
    fc.assert(
      fc.property(graphs, (given) => {
        const answer = acceptGraph(given, bounds, noTemplates);
        if ('fault' in answer) throw new Error(answer.fault.message);
        t.same(acceptGraph(answer.steps, bounds, noTemplates), answer);
        eachStep(answer.steps, (step, path) => {
          let found: unknown = { steps: answer.steps };
          for (const part of path.match(/\w+/g) ?? [])
            found = (found as Record<string, unknown>)[part];
          if (found !== step) t.fail(path);
        });
      }),
      { seed: 4, numRuns: tries(100) },
    );
  },
);
