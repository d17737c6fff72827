// Deliveries that the product signs verify with the client; forged, altered and old ones do not.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { headersOf } from '../../../actors/integrations/webhooks/call/headers.ts';
import { makeWebhookSecret } from '../../../http/call/keys/webhook-secret.ts';
import {
  identityHash,
  unsubscribeHeaders,
  verifyWebhook,
  WebhookError,
} from '../../../sdk/node/src/engage.ts';
import { anAttempt } from '../../actors/integrations/webhooks/call/receivers.ts';
import { tries } from '../../support/tries.ts';

const nowMs = Date.UTC(2026, 8, 21, 14, 13, 20);
const body = '{"id":"whd_1","type":"message.opened","meta":{"name":"Zoë"}}';
const url = 'https://hooks.acme.example/engage';
const ownSecret = 'a-secret-of-the-receiver';

type Plain = Readonly<Record<string, string>>;

function signed(secrets: readonly string[], atMs = nowMs, text = body): Plain {
  return headersOf(anAttempt({ url, secrets, body: Buffer.from(text), atMs }));
}

function without(headers: Plain, start: string): Plain {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(start)));
}

async function refusal(
  headers: Plain,
  text: string | Uint8Array,
  secret: string,
  checks: object = {},
): Promise<string> {
  try {
    await verifyWebhook(headers, text, secret, { nowMs, ...checks });
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
  return 'taken';
}

/** The same delivery as each of the three signatures has it alone. */
const schemes: Readonly<Record<string, (headers: Plain) => Plain>> = {
  'Standard Webhooks': (headers) => without(headers, 'x-engage-signature'),
  v2: (headers) => without(headers, 'webhook-'),
  v1: (headers) => without(without(headers, 'webhook-'), 'x-engage-signature-v2'),
};

t.test('a delivery is taken by each signature, in every form of headers', async (t) => {
  for (const secret of [makeWebhookSecret(), ownSecret])
    for (const [scheme, only] of Object.entries(schemes)) {
      const headers = only(signed([secret]));
      const checks = { nowMs, allowUntimed: scheme === 'v1' };
      const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
      for (const form of [headers, new Headers(headers), Object.fromEntries(upper)])
        for (const raw of [body, Buffer.from(body)])
          t.same(await verifyWebhook(form, raw, secret, checks), JSON.parse(body), scheme);
    }
});

t.test('a delivery that was altered, forged or recorded is not', async (t) => {
  for (const secret of [makeWebhookSecret(), ownSecret])
    for (const [scheme, only] of Object.entries(schemes)) {
      const allow = { allowUntimed: true };
      const headers = only(signed([secret]));
      t.equal(await refusal(headers, body, secret, allow), 'taken', scheme);
      t.equal(
        await refusal(headers, body.replace('Zoë', 'Zoe'), secret, allow),
        'signature',
        scheme,
      );
      t.equal(await refusal(headers, body, makeWebhookSecret(), allow), 'signature', scheme);
      t.equal(await refusal(headers, `${body} `, secret, allow), 'signature', scheme);
      const emptied = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, name.includes('sign') ? '' : value]),
      );
      t.equal(await refusal(emptied, body, secret, allow), 'signature', scheme);
      if (scheme === 'v1') continue;
      for (const offMs of [-301_000, 301_000])
        t.equal(await refusal(only(signed([secret], nowMs + offMs)), body, secret), 'time', scheme);
      for (const offMs of [-299_000, 299_000])
        t.equal(
          await refusal(only(signed([secret], nowMs + offMs)), body, secret),
          'taken',
          scheme,
        );
      const old = only(signed([secret], nowMs - 600_000));
      const now = String(nowMs / 1_000);
      const renewed = {
        ...old,
        ...('webhook-id' in old ? { 'webhook-timestamp': now } : {}),
        'x-engage-timestamp': now,
      };
      t.equal(await refusal(renewed, body, secret), 'signature', `${scheme}, with a new time`);
    }
});

t.test('a recorded delivery is not taken by what is left when headers are removed', async (t) => {
  const secret = makeWebhookSecret();
  const old = signed([secret], nowMs - 86_400_000);
  t.equal(await refusal(old, body, secret), 'time');
  t.equal(await refusal(without(old, 'webhook-'), body, secret), 'time');
  t.equal(await refusal(schemes['v1']?.(old) ?? {}, body, secret), 'unsigned');
  t.equal(await refusal({}, body, secret), 'unsigned');
});

t.test('while a secret is replaced, the old and the new one verify', async (t) => {
  const [old, made] = [makeWebhookSecret(), makeWebhookSecret()];
  const headers = signed([made, old]);
  t.equal(await refusal(headers, body, old), 'taken');
  t.equal(await refusal(headers, body, made), 'taken');
});

t.test('no header, time or body makes it fail in another way', async (t) => {
  const secret = makeWebhookSecret();
  const names = Object.keys(signed([secret]));
  const headers = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string(), fc.constantFrom(...Object.values(signed([secret])))),
  );
  await fc.assert(
    fc.asyncProperty(headers, fc.uint8Array(), async (some, bytes) => {
      const code = await refusal(some, bytes, secret, { allowUntimed: true });
      return code !== 'taken';
    }),
    { numRuns: tries(600) },
  );
  t.pass();
});

t.test('what is signed but no JSON is refused as that', async (t) => {
  const headers = signed([ownSecret], nowMs, '{"id":');
  t.equal(await refusal(headers, '{"id":', ownSecret), 'body');
});

t.test('an empty secret signs nothing', async (t) => {
  await t.rejects(verifyWebhook(signed(['']), body, ''), /^secret: expected/);
  await t.rejects(identityHash('', 'ada'), /^secret: expected/);
  await t.rejects(identityHash('s', ''), /^externalUserId: expected/);
});

t.test('the identity hash is what the server compares', async (t) => {
  for (const [secret, person] of [
    ['s', 'ada'],
    ['ünï', 'Ước 😀'],
  ] as const)
    t.equal(
      await identityHash(secret, person),
      createHmac('sha256', secret).update(person).digest('hex'),
    );
});

t.test('headers to unsubscribe are those of RFC 8058, and cannot carry others', (t) => {
  t.same(unsubscribeHeaders('https://a.example/u/1'), {
    'List-Unsubscribe': '<https://a.example/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  for (const wrong of ['http://a.example', 'https://a.example/\r\nBcc: x', 'https://a>', ''])
    t.throws(() => unsubscribeHeaders(wrong), /^unsubscribeUrl: expected/);
  t.end();
});
