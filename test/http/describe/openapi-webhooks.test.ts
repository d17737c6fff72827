// The `webhooks` of the API description against what is sent: each kind once, and the headers that
// a delivery of each type has.

import t from 'tap';
import { headersOf } from '../../../actors/integrations/webhooks/call/headers.ts';
import { webhookKinds } from '../../../actors/integrations/webhooks/event.ts';
import { anAttempt } from '../../actors/integrations/webhooks/call/receivers.ts';
import { fakeFront } from '../routes/fake-front.ts';

interface Described {
  readonly post: {
    readonly operationId: string;
    readonly parameters: readonly { name: string; in: string; required: boolean }[];
    readonly requestBody: {
      content: { 'application/json': { examples: { example: { value: { type: string } } } } };
    };
    readonly responses: Readonly<Record<string, { description: string }>>;
    readonly security: readonly object[];
  };
}

const { json } = await fakeFront().call('GET /openapi.json');
const { webhooks } = json as { webhooks: Readonly<Record<string, Described>> };

t.test('each kind is described once, with its example', async (t) => {
  t.same(Object.keys(webhooks).sort(), [...webhookKinds].sort());
  for (const [kind, { post }] of Object.entries(webhooks)) {
    t.equal(post.requestBody.content['application/json'].examples.example.value.type, kind);
    t.same(Object.keys(post.responses).sort(), ['2XX', '410', 'default']);
    t.same(post.security, [], 'linters take an operation without it for a forgotten one');
  }
  const ids = Object.values(webhooks).map(({ post }) => post.operationId);
  t.equal(new Set(ids).size, ids.length);
});

t.test('the headers are those that are sent; required are those of every delivery', async (t) => {
  const own = (headers: object) =>
    Object.keys(headers).filter((name) => /^(x-engage|webhook)-/.test(name));
  const url = 'https://hooks.acme.example/engage';
  const sent = [
    anAttempt({ url, isReplayed: true }),
    anAttempt({ url, secrets: [] }),
    anAttempt({ url, type: 'legacy' }),
    anAttempt({ url, type: 'legacy', secrets: [] }),
  ].map((attempt) => own(headersOf(attempt)));
  const every = new Set(sent.flat());
  for (const [kind, { post }] of Object.entries(webhooks)) {
    t.ok(post.parameters.every((one) => one.in === 'header'));
    t.same(post.parameters.map(({ name }) => name).sort(), [...every].sort(), kind);
    t.same(
      post.parameters.filter(({ required }) => required).map(({ name }) => name),
      [...every].filter((name) => sent.every((names) => names.includes(name))),
      kind,
    );
  }
});
