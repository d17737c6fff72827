// The closed objects in `payload` name what nobody reads, wherever content is taken.

import fc from 'fast-check';
import t from 'tap';
import type { z } from 'zod';
import { payloadMembers } from '../../../../actors/content/accept/provider-template.ts';
import type { MemberTree } from '../../../../actors/is-object.ts';
import { parseBody } from '../../../../http/call/body/input.ts';
import { unknownMembers } from '../../../../http/call/body/unknown-members.ts';
import { routes } from '../../../../http/routes/index.ts';
import { tries } from '../../../support/tries.ts';

const inStep = (content: object) => ({ steps: [{ id: 'a', type: 'send', message: content }] });
const inBranch = (content: object) => ({
  steps: [{ id: 'b', type: 'condition', filter: {}, ...{ then: inStep(content).steps }, else: [] }],
});
const asItIs = (content: object) => content;
/** Every route that takes content, how it is put into the body, and the path of it there. */
const takers = [
  ['POST /v1/apps/:appId/messages', asItIs, ''],
  ['PATCH /v1/apps/:appId/messages/:id', asItIs, ''],
  ['POST /v1/apps/:appId/message-templates', asItIs, ''],
  ['PATCH /v1/apps/:appId/message-templates/:idOrName', asItIs, ''],
  [
    'POST /v1/apps/:appId/messages/preview',
    (content: object) => ({ message: content }),
    'message.',
  ],
  ['POST /v1/apps/:appId/notifications', asItIs, ''],
  ['POST /v1/apps/:appId/notifications/batch', asItIs, ''],
  ['POST /v1/apps/:appId/journeys', inStep, 'steps[0].message.'],
  ['POST /v1/apps/:appId/journeys', inBranch, 'steps[0].then[0].message.'],
  ['POST /v1/apps/:appId/journeys/simulate', inStep, 'steps[0].message.'],
  ['PATCH /v1/apps/:appId/journeys/:id', inStep, 'steps[0].message.'],
  [
    'PATCH /v1/apps/:appId/journeys/:id/steps/:stepId',
    (content: object) => ({ message: content }),
    'message.',
  ],
] as const;

const bodyOf = (line: string): z.ZodType => {
  const body = routes.find(({ method, path }) => `${method} ${path}` === line)?.body;
  if (body === undefined) throw new Error(`no body at ${line}`);
  return body;
};
const namedIn = (payload: object, line = 'POST /v1/apps/:appId/messages') =>
  unknownMembers(bodyOf(line), { body: 'x', payload }).map(({ field, meant }) => [field, meant]);

t.test('slips at any depth of a closed object are named, on every route', async (t) => {
  const payload = {
    whatsapp: {
      templateName: 'order',
      language_code: 'en',
      bodyParam: ['a'],
      headerParams: [{ type: 'image', links: 'https://a.example' }],
      buttonParams: ['x', { type: 'url', txt: 'y' }, { type: 'url', text: 'y', colour: 1 }],
    },
    kakao: { templateId: 'a', variable: { name: 'x' } },
    voice: { lang: 'de', voise: 'Polly.Joanna' },
    zalo: { templateId: 'transaction_order', param: {}, watch: 1 },
  };
  const slips = [
    ['whatsapp.language_code', 'languageCode'],
    ['whatsapp.bodyParam', 'bodyParams'],
    ['whatsapp.headerParams[0].links', 'link'],
    ['whatsapp.buttonParams[1].txt', 'text'],
    ['whatsapp.buttonParams[2].colour', undefined],
    ['kakao.variable', 'variables'],
    ['voice.lang', 'language'],
    ['voice.voise', 'voice'],
    ['zalo.param', 'params'],
    ['zalo.watch', undefined],
  ];
  for (const [line, within, prefix] of takers) {
    const sent = within({ payload, buttons: [{ label: 'Go', linkk: 'https://a.example' }] });
    const found = unknownMembers(bodyOf(line), sent).map(({ field, meant }) => [field, meant]);
    for (const [field, meant] of slips) {
      const one = found.find(([name]) => name === `${prefix}payload.${field}`);
      t.same(one, [`${prefix}payload.${field}`, meant], `${line}: ${field}`);
    }
    t.ok(
      found.some(([field]) => field === `${prefix}buttons[0].linkk`),
      `${line}: a button`,
    );
    t.equal(found.length, slips.length + 1, line);
  }
});

t.test("what callers fill stays open, and so is every channel's whole object", async (t) => {
  t.same(
    namedIn({
      sound: 'ding',
      fcm: { anything: 1 },
      invoice: { language: 'de', total: 3 },
      whatsapp: {
        templateName: 'a',
        languageCode: 'en',
        headerParams: ['x', { type: 'document', link: 'https://a.example/b', filename: 'c' }],
        bodyParams: ['x'],
        buttonParams: [{ type: 'copy_code', text: 'x', index: 1 }],
      },
      kakao: { templateId: 'a', senderKey: 'b', variables: { templateld: 'x', toString: 'y' } },
      voice: { language: 'de', voice: 'Polly.Joanna' },
      zalo: { templateId: 'transaction_order', params: { param: 'x', templateID: 'y' } },
    }),
    [],
  );
});

t.test("a channel's object beneath another spelling is named", async (t) => {
  t.same(namedIn({ whatsApp: { templateName: 'a' }, KakaoTalk: { templateId: 'b' } }), [
    ['payload.whatsApp', 'whatsapp'],
    ['payload.KakaoTalk', 'kakao'],
  ]);
});

t.test('any name that a closed object lacks is named, any that it has is not', async (t) => {
  const trees: [string, MemberTree][] = Object.entries(payloadMembers);
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }),
    fc.constantFrom('constructor', 'toString', 'valueOf', 'hasOwnProperty', 'length'),
    ...trees.map(([, tree]) => fc.constantFrom(...Object.keys(tree))),
  );
  fc.assert(
    fc.property(fc.constantFrom(...trees), name, ([channel, tree], one) => {
      const found = namedIn({ [channel]: Object.fromEntries([[one, 'x']]) });
      return found.length === (Object.hasOwn(tree, one) ? 0 : 1);
    }),
    { numRuns: tries(200) },
  );
  t.pass();
});

t.test('values that are no objects are left to the check of their form', async (t) => {
  for (const value of [null, 1, 'x', [], [[{ a: 1 }]], { headerParams: { typ: 'image' } }])
    t.doesNotThrow(() => namedIn({ whatsapp: value }), JSON.stringify(value));
});

t.test('a number that is stored with an unknown member is as exact as any other', async (t) => {
  const line = 'POST /v1/apps/:appId/messages';
  const route = routes.find(({ method, path }) => `${method} ${path}` === line);
  if (route === undefined) throw new Error('no route');
  const read = (member: string) => {
    const header = (name: string) => (name === 'content-type' ? 'application/json' : '');
    const bytes = Buffer.from(
      `{"body":"x","payload":{"voice":{"${member}":12345678901234567890}}}`,
    );
    return () => parseBody(route, { header, query: '' }, bytes, {});
  };
  for (const member of ['pitch', 'voise'])
    t.throws(read(member), new RegExp(`payload.voice.${member}`));
});
