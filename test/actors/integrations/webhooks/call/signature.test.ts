import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { headersOf } from '../../../../../actors/integrations/webhooks/call/headers.ts';
import { Signing } from '../../../../../actors/integrations/webhooks/call/signature.ts';
import { makeWebhookSecret } from '../../../../../http/call/keys/webhook-secret.ts';
import { anAttempt } from './receivers.ts';

const url = 'https://hooks.acme.example/engage';
const nowMs = () => Date.now();
const signing = (body: Buffer, secret: string) =>
  new Signing({ url, headers: {}, secrets: [secret] }, body);

t.test('the vector of Standard Webhooks', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = Buffer.from('{"test": 2432232314}');
  t.equal(
    signing(body, secret).standard('msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330'),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

t.test('ours are keyed with the secret as it is shown, and are lower-case hex', async (t) => {
  const secret = makeWebhookSecret();
  const body = Buffer.from('{"a":"ü"}');
  const plain = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  t.equal(signing(body, secret).ofBody(), plain('{"a":"ü"}'));
  t.equal(signing(body, secret).timed('1790000000'), plain('1790000000.{"a":"ü"}'));
  t.match(signing(body, secret).ofBody(), /^[0-9a-f]{64}$/);
});

t.test('the library of the standard verifies every delivery, with either secret', async (t) => {
  const ownSecret = fc
    .stringMatching(/^[\x21-\x7e]{16,64}$/)
    .filter((s) => !s.startsWith('whsec_'));
  const secret = fc.oneof(fc.constant(0).map(makeWebhookSecret), ownSecret);
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 2 }), fc.json(), (secrets, json) => {
      const body = Buffer.from(json);
      const headers = headersOf(anAttempt({ url, secrets, body, atMs: nowMs() }));
      for (const one of secrets) {
        const webhook = one.startsWith('whsec_')
          ? new Webhook(one)
          : new Webhook(one, { format: 'raw' });
        webhook.verify(json, headers);
      }
    }),
  );
  const headers = headersOf(anAttempt({ url, atMs: nowMs() }));
  t.throws(() => new Webhook(makeWebhookSecret()).verify('{}', headers), 'another secret');
});

t.test('during a rotation ours are signed with the new secret alone', async (t) => {
  const [current, before] = [makeWebhookSecret(), makeWebhookSecret()];
  const attempt = anAttempt({ url, secrets: [current, before] });
  const headers = headersOf(attempt);
  t.equal(headers['x-engage-signature'], signing(attempt.body, current).ofBody());
  t.match(headers['webhook-signature'], /^v1,\S{44} v1,\S{44}$/);
});

t.test('each type has its own headers, and no other', async (t) => {
  const names = (type: 'webhook' | 'legacy' | 'slack', secrets: readonly string[]) =>
    Object.keys(headersOf(anAttempt({ url, type, secrets }))).sort();
  const always = ['content-type', 'user-agent'];
  const legacy = [...always, 'x-engage-delivery-id', 'x-engage-event', 'x-engage-timestamp'];
  const standard = ['webhook-id', 'webhook-timestamp'];
  t.same(names('slack', []), always);
  t.same(names('legacy', []), legacy);
  t.same(names('legacy', ['a secret']), [
    ...always,
    ...legacy.slice(2, 4),
    'x-engage-signature',
    'x-engage-timestamp',
  ]);
  t.same(names('webhook', []), [...always, ...standard, ...legacy.slice(2)]);
  t.same(names('webhook', ['a secret']), [
    ...always,
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
    ...legacy.slice(2, 4),
    'x-engage-signature',
    'x-engage-signature-v2',
    'x-engage-timestamp',
  ]);
});

t.test(
  'what may have been sent before a restore says so, but for types that stay as they are',
  async (t) => {
    const replayed = (type: 'webhook' | 'legacy' | 'slack', isReplayed: boolean) =>
      headersOf(anAttempt({ url, type, isReplayed }))['x-engage-replayed'];
    t.equal(replayed('webhook', true), '1');
    t.equal(replayed('webhook', false), undefined);
    t.equal(replayed('legacy', true), undefined);
    t.equal(replayed('slack', true), undefined);
  },
);

t.test(
  'a timestamp is in whole seconds, and the receiver’s own headers replace none of ours',
  async (t) => {
    const headers = headersOf(
      anAttempt({
        url,
        atMs: 1_790_000_000_999,
        headers: { authorization: 'Bearer x', 'x-engage-event': 'forged' },
      }),
    );
    t.match(headers, {
      authorization: 'Bearer x',
      'x-engage-event': 'message.delivered',
      'x-engage-timestamp': '1790000000',
      'webhook-timestamp': '1790000000',
    });
  },
);
