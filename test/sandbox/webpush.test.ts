// The push service and browser in one: encrypted by the web-push library, judged and decrypted by
// the stand-in.

import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import t, { type Test } from 'tap';
import webpush from 'web-push';
import { type Subscription, sandboxSubscription } from '../../sandbox/webpush/webpush-keys.ts';
import { withSandbox } from './with-sandbox.ts';

const vapid = { subject: 'mailto:ops@acme.test', ...webpush.generateVAPIDKeys() };

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    subscribe: async (name?: string): Promise<Subscription> =>
      (await sandbox.call('POST', '/control/webpush/subscriptions', { ...(name && { name }) })).json
        .subscription,
    send: (
      subscription: Subscription,
      payload: object,
      headers: Record<string, string | undefined> = {},
      form: 's' | 'to' = 's',
    ) => {
      const details = webpush.generateRequestDetails(subscription, JSON.stringify(payload), {
        vapidDetails: vapid,
        TTL: 60,
        urgency: 'high',
        topic: 'order',
      });
      const target =
        form === 's'
          ? new URL(details.endpoint).pathname
          : `/webpush/to/${Buffer.from(details.endpoint).toString('base64url')}`;
      const merged = Object.entries({ ...details.headers, ...headers }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      );
      return sandbox.call('POST', target, details.body, Object.fromEntries(merged));
    },
  };
}

t.test('what the web-push library encrypts is decrypted and shown, with our ids', async (test) => {
  const { subscribe, send, messages } = await rig(test);
  const payload = {
    title: 'Prix réduit',
    body: 'Le fauteuil — 249 €',
    data: { deepLink: 'https://acme.test/p' },
    actions: [{ action: 'a', title: 'Buy' }],
    messageId: 'ntf_1',
    deviceId: 'dev_1',
  };
  for (const form of ['s', 'to'] as const) {
    const reply = await send(await subscribe('laptop'), payload, {}, form);
    test.equal(reply.status, 201);
    test.match(reply.headers['location'], /\/webpush\/m\//);
    const [message] = await messages();
    test.match(message, {
      to: 'laptop',
      look: 'browser',
      title: payload.title,
      text: payload.body,
      link: 'https://acme.test/p',
      buttons: [{ label: 'Buy' }],
      sendId: 'ntf_1',
      deviceId: 'dev_1',
    });
  }
});

t.test(
  'a named subscription is the same one in every sandbox, and derivable without one',
  async (test) => {
    const first = await rig(test);
    const second = await rig(test);
    const a = await first.subscribe('same');
    const b = await second.subscribe('same');
    test.same(a.keys, b.keys);
    test.same(a, sandboxSubscription(first.url, 'same'));
    test.not(
      (await first.subscribe()).endpoint,
      (await first.subscribe()).endpoint,
      'without a name each is its own',
    );
    test.equal(
      (await first.call('POST', '/control/webpush/subscriptions', { name: 'a b' })).status,
      400,
    );
    // Made at one sandbox, used at another: the token is for the first one's origin.
    test.equal((await second.send(a, { title: 'moved' }, {}, 'to')).status, 201);
    test.match((await second.messages())[0], { title: 'moved' });
  },
);

t.test('a foreign subscription is accepted and shown as unreadable', async (test) => {
  const { send, messages, url } = await rig(test);
  const foreign = {
    ...sandboxSubscription(url, 'any'),
    endpoint: 'https://push.example.net/wpush/v2/abc',
  };
  test.equal((await send(foreign, { title: 'secret' }, {}, 'to')).status, 201);
  test.match((await messages())[0], {
    to: 'push.example.net/wpush/v2/abc',
    note: 'Encrypted for a key that the sandbox does not hold',
  });
});

t.test('each recipient name gets the refusal that push services give', async (test) => {
  const { subscribe, send } = await rig(test);
  const expected: [name: string, status: number, retryAfter?: string][] = [
    ['gone-1', 410],
    ['missing-1', 404],
    ['quota7-1', 429, '7'],
    ['big-1', 413],
    ['throttle-1', 406],
    ['mism-1', 403],
    ['busy-1', 503],
  ];
  for (const [name, status, retryAfter] of expected) {
    const reply = await send(await subscribe(name), { title: 'x' });
    test.equal(reply.status, status, name);
    test.equal(reply.headers['retry-after'], retryAfter, name);
  }
  await test.rejects(send(await subscribe('drop-1'), { title: 'x' }));
  test.equal((await send(await subscribe('slow20-1'), { title: 'x' })).status, 201);
});

t.test('headers are judged as RFC 8030 says', async (test) => {
  const { subscribe, send } = await rig(test);
  const subscription = await subscribe('headers');
  const cases: [headers: Record<string, string | undefined>, status: number][] = [
    [{ TTL: undefined }, 400],
    [{ TTL: 'soon' }, 400],
    [{ Topic: 'x'.repeat(32) }, 201],
    [{ Topic: 'x'.repeat(33) }, 400],
    [{ Topic: 'a.b' }, 400],
    [{ Urgency: 'extreme' }, 400],
    [{ 'Content-Encoding': 'aesgcm' }, 400],
    [{ Authorization: undefined }, 401],
    [{ Authorization: 'Bearer x' }, 401],
  ];
  for (const [headers, status] of cases) {
    test.equal(
      (await send(subscription, { title: 'x' }, headers)).status,
      status,
      JSON.stringify(headers),
    );
  }
});

t.test('a body may have 4,096 bytes', async (test) => {
  const { subscribe, send } = await rig(test);
  const subscription = await subscribe('size');
  // 103 bytes go to the header of the encoding, the delimiter and the tag.
  const ofBytes = (bytes: number) => ({ t: 'x'.repeat(bytes - JSON.stringify({ t: '' }).length) });
  test.equal((await send(subscription, ofBytes(3993))).status, 201);
  test.equal((await send(subscription, ofBytes(3994))).status, 413);
});

t.test(
  'a VAPID token must be signed with k, for this origin, and for a day at most',
  async (test) => {
    const { subscribe, send, url } = await rig(test);
    const subscription = await subscribe('vapid');
    const key = {
      kty: 'EC',
      crv: 'P-256',
      d: vapid.privateKey,
      x: Buffer.from(vapid.publicKey, 'base64url').subarray(1, 33).toString('base64url'),
      y: Buffer.from(vapid.publicKey, 'base64url').subarray(33).toString('base64url'),
    };
    const now = Math.floor(Date.now() / 1000);
    const token = (claims: object) =>
      new SignJWT({ aud: url, exp: now + 3600, sub: vapid.subject, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .sign(key);
    const status = async (claims: object, k = vapid.publicKey) =>
      (
        await send(
          subscription,
          { title: 'x' },
          { Authorization: `vapid t=${await token(claims)}, k=${k}` },
        )
      ).status;
    test.equal(await status({}), 201);
    test.equal(await status({ aud: 'https://push.example.net' }), 403, 'another origin');
    test.equal(await status({ exp: now - 1 }), 403, 'expired');
    test.equal(await status({ exp: now + 86_400 + 60 }), 403, 'more than a day');
    test.equal(await status({ exp: now + 86_390 }), 201, 'almost a day');
    test.equal(await status({ sub: 'ops' }), 403, 'no contact');
    test.equal(await status({}, webpush.generateVAPIDKeys().publicKey), 403, 'another key');
    test.equal(await status({}, createHmac('sha256', 'x').digest('base64url')), 401, 'no point');
  },
);

t.test(
  'an unreadable body of an own subscription is told apart from a foreign one',
  async (test) => {
    const { subscribe, send, messages } = await rig(test);
    const mine = await subscribe('mine');
    const wrong = { ...mine, keys: (await subscribe('other')).keys };
    test.equal((await send(wrong, { title: 'x' })).status, 201);
    test.match((await messages())[0], {
      note: 'Could not be decrypted with the keys of this subscription',
    });
  },
);
