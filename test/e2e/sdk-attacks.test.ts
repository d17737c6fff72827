// A malicious page that has only the id of an app, and perhaps accounts of its own there. It tries
// to be others, to read, change or take what is theirs, to forge what proves who one is, and to
// fill the place up. Each try is refused with the right code, and everything that the tenant can
// read of the victims is as it was. On both servers.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { limits } from '../../actors/limits.ts';
import { formatId, parseId } from '../../engine/base/id.ts';
import { otherId } from '../support/other-id.ts';
import {
  type Client,
  client,
  eventually,
  makeOrg,
  type Reply,
  startServer,
} from '../support/server.ts';

for (const http of ['uws', 'node']) {
  t.test(`a malicious page gets nowhere, over ${http}`, (t) => attack(t, http));
}

async function attack(t: Test, http: string): Promise<void> {
  const server = await startServer(t, {
    environment: { ENGAGE_HTTP: http, ENGAGE_TRUSTED_PROXIES: '1' },
  });
  const org = await makeOrg(server, 'Shop');
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Shop' });
  const { id: otherApp } = await org.client.must('POST /v1/apps', { name: 'Other' });
  const base = `/v1/apps/${app}`;
  const api = org.client;
  const { secret } = await api.must(`POST ${base}/identity-secret`);
  await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
  const { secret: otherSecret } = await api.must(`POST /v1/apps/${otherApp}/identity-secret`);
  const hashOf = (key: string, user: string) =>
    createHmac('sha256', key).update(user).digest('hex');

  let address = 0;
  /** The page, each time from another address: ceilings are not what stops it here. */
  const page = (): Client =>
    client(server.url, '', { 'x-forwarded-for': `10.7.${address >> 8}.${address++ & 255}` });
  const sdk = (line: string, body: object, token?: string): Promise<Reply> => {
    const clientToken = token === undefined ? {} : { clientToken: token };
    return page().call(`POST /v1/sdk/${line}`, { appId: app, ...clientToken, ...body });
  };
  const refused = (t: Test, reply: Reply, status: number, code: string, what: string) => {
    t.equal(reply.status, status, `${what}: ${reply.text.slice(0, 160)}`);
    t.equal(reply.json?.code, code, what);
  };

  // Two victims: one whom only the tenant's server made, one who logged in with a phone and a mail.
  const vera = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'vera',
    tags: { plan: 'gold', balance: 900 },
    preferredChannels: ['email'],
    devices: [
      { channel: 'email', endpoint: 'vera@example.com' },
      { channel: 'sms', endpoint: '+14155550100' },
      { channel: 'telegram', endpoint: '424242' },
      { channel: 'fcm', endpoint: 'phone-of-vera-1' },
    ],
  });
  const proven = { externalUserId: 'viktor', identityHash: hashOf(secret, 'viktor') };
  const viktor = (await sdk('subscriber', proven)).json;
  const his = (line: string, body: object) => sdk(line, body, viktor.clientToken);
  const phone = (await his('register', { channel: 'fcm', endpoint: 'phone-of-viktor-1' })).json;
  await his('register', { channel: 'email', endpoint: 'viktor@example.com' });
  await his('tags', { tags: { plan: 'free' } });
  const { id: messageId } = await api.must(`POST ${base}/messages`, { body: 'Sale' });
  const iam = await api.must(`POST ${base}/in-app-messages`, { messageId, show: 'inbox' });
  const anonymous = (await sdk('subscriber', {})).json;
  await sdk('register', { channel: 'fcm', endpoint: 'phone-of-nobody-1' }, anonymous.clientToken);

  const thief = (await sdk('subscriber', {})).json;
  const thiefKnown = (await sdk('subscriber', { externalUserId: 'thief' })).json;
  const elsewhere = (await page().must('POST /v1/sdk/subscriber', {
    appId: otherApp,
  })) as typeof thief;
  await sdk('register', { channel: 'fcm', endpoint: 'phone-of-thief-1' }, thief.clientToken);

  /** Everything that the tenant can read of the victims, and how many people there are. */
  const state = async () => {
    const ids = [vera.id, viktor.subscriberId, anonymous.subscriberId];
    const people = ids.flatMap((id) => [
      api.must(`GET ${base}/subscribers/${id}`),
      api.must(`GET ${base}/events?subscriberId=${id}`),
    ]);
    const rest = [
      '',
      '/settings',
      '/suppressions',
      '/subscribers/external:vera',
      '/subscribers/external:viktor',
    ];
    const all = (await api.must(`GET ${base}/subscribers?limit=200`)).items.length;
    return [
      all,
      ...(await Promise.all([...people, ...rest.map((one) => api.must(`GET ${base}${one}`))])),
    ];
  };
  const unchanged = async (t: Test, tries: () => Promise<void>) => {
    const before = await state();
    await tries();
    t.same(await state(), before, 'nothing changed');
  };

  await t.test('to be somebody known, it needs their proof, however it asks', (t) =>
    unchanged(t, async () => {
      for (const user of ['vera', 'viktor']) {
        const wrong: readonly object[] = [
          {},
          { identityHash: '' },
          { identityHash: '0'.repeat(64) },
          { identityHash: hashOf('', user) },
          { identityHash: hashOf(otherSecret, user) },
          { identityHash: hashOf(secret, 'thief') },
          { identityHash: hashOf(secret, user).slice(0, -1) },
          { identityHash: `${hashOf(secret, user)}00` },
          {
            identityHash: hashOf(
              Buffer.from(secret.slice(3), 'base64url').toString('latin1'),
              user,
            ),
          },
        ];
        for (const more of wrong) {
          const claim = { externalUserId: user, ...more };
          refused(
            t,
            await sdk('subscriber', claim),
            403,
            'identity_required',
            JSON.stringify(more),
          );
          refused(
            t,
            await sdk('subscriber', claim, thief.clientToken),
            403,
            'identity_required',
            'merging',
          );
          refused(
            t,
            await sdk('subscriber', claim, thiefKnown.clientToken),
            403,
            'identity_required',
            'as somebody known',
          );
          const language = await sdk('subscriber', { ...claim, language: 'xx', timezone: 'UTC' });
          refused(t, language, 403, 'identity_required', 'with something to say of them');
        }
      }
      for (const user of ['Vera', ' vera', 'vera ', 'vera\u0000'])
        t.not(
          (await sdk('subscriber', { externalUserId: user, identityHash: hashOf(secret, 'vera') }))
            .json?.subscriberId,
          vera.id,
          JSON.stringify(user),
        );
    }),
  );

  await t.test('somebody known is merged into nobody, not even with proof of both', (t) =>
    unchanged(t, async () => {
      const claim = { externalUserId: 'viktor', identityHash: hashOf(secret, 'viktor') };
      refused(
        t,
        await sdk('subscriber', claim, thiefKnown.clientToken),
        409,
        'wrong_state',
        'the thief into Viktor',
      );
      const back = { externalUserId: 'thief', identityHash: hashOf(secret, 'thief') };
      refused(
        t,
        await sdk('subscriber', back, viktor.clientToken),
        409,
        'wrong_state',
        'Viktor into the thief',
      );
    }),
  );

  await t.test('a token that it makes up, changes or brings from elsewhere is none', (t) =>
    unchanged(t, async () => {
      const bytes = Buffer.from(thief.clientToken.slice(3), 'base64url');
      const as = (id: string) => {
        const parts = parseId('sub', id);
        const named = Buffer.from(bytes);
        named.writeUInt32BE(parts?.ordinal ?? 0, 0);
        named.writeUIntBE(parts?.atMs ?? 0, 4, 6);
        named.writeUInt16BE(parts?.high16 ?? 0, 10);
        named.writeUInt32BE(parts?.low32 ?? 0, 12);
        return `ct_${named.toString('base64url')}`;
      };
      const flipped = [0, 7, 15, 16, 31, 47].map((at) => {
        const one = Buffer.from(bytes);
        one[at] = (one[at] as number) ^ (1 << (at % 8));
        return `ct_${one.toString('base64url')}`;
      });
      const signedWithSecret = createHmac('sha256', secret)
        .update('engage client token 1:')
        .update(bytes.subarray(0, 16))
        .digest();
      const forged = [
        as(vera.id),
        as(viktor.subscriberId),
        as(anonymous.subscriberId),
        ...flipped,
        thief.clientToken.slice(0, -1),
        `${thief.clientToken}A`,
        `${thief.clientToken.slice(0, 25)}${viktor.clientToken.slice(25, 40)}${thief.clientToken.slice(40)}`,
        `ct_${Buffer.concat([bytes.subarray(0, 16), signedWithSecret]).toString('base64url')}`,
        elsewhere.clientToken,
        vera.id,
        org.key,
        secret,
        '',
      ];
      for (const token of forged) {
        for (const [line, body] of [
          ['subscriber', {}],
          ['subscriber', { externalUserId: 'thief-2' }],
          ['register', { channel: 'fcm', endpoint: 'phone-of-thief-9' }],
          ['unregister', { deviceId: phone.deviceId }],
          ['tags', { tags: { plan: 'stolen' } }],
          ['inbox', { read: 'all' }],
          ['live-activities', { activityType: 'A', pushToken: 'ab'.repeat(80) }],
        ] as const) {
          refused(
            t,
            await sdk(line, body, token),
            401,
            'invalid_client_token',
            `${line} with ${token.slice(0, 40)}`,
          );
        }
      }
      const other = { appId: otherApp, clientToken: viktor.clientToken };
      refused(
        t,
        await page().call('POST /v1/sdk/tags', { ...other, tags: { a: 1 } }),
        401,
        'invalid_client_token',
        'in another app',
      );
    }),
  );

  await t.test('without a token nothing is changed, and an id is no token', (t) =>
    unchanged(t, async () => {
      for (const [line, body] of [
        ['register', { channel: 'fcm', endpoint: 'phone-of-thief-9', subscriberId: vera.id }],
        ['unregister', { deviceId: phone.deviceId, subscriberId: viktor.subscriberId }],
        ['tags', { tags: { plan: 'stolen' }, externalUserId: 'vera' }],
        ['inbox', { read: 'all', archive: [iam.id], subscriberId: viktor.subscriberId }],
      ] as const) {
        refused(t, await sdk(line, body), 400, 'invalid', line);
        // With its own token, whom else it names is not looked at.
        if (line !== 'unregister') await sdk(line, body, thief.clientToken);
      }
      const one = await sdk('unregister', { deviceId: phone.deviceId }, thief.clientToken);
      refused(t, one, 404, 'not_found', "another's device");
      const invented = `${phone.deviceId.slice(0, -4)}zzzz`;
      const made = await sdk('unregister', { deviceId: invented }, thief.clientToken);
      // An answer repeats the id it was asked for, and tells nothing else apart.
      const repeated = one.text.replaceAll(phone.deviceId, invented);
      t.equal(made.text, repeated, 'in the words of one that never was');
    }),
  );

  await t.test('an address of somebody known stays theirs, in any spelling and from anybody', (t) =>
    unchanged(t, async () => {
      for (const [channel, endpoint] of [
        ['email', 'vera@example.com'],
        ['email', 'VERA@EXAMPLE.COM'],
        ['email', ' Vera@Example.com '],
        ['sms', '+14155550100'],
        ['sms', '+1 415 555 0100'],
        ['telegram', '424242'],
        ['email', 'viktor@example.com'],
      ] as const) {
        for (const token of [thief.clientToken, thiefKnown.clientToken]) {
          const got = await sdk('register', { channel, endpoint }, token);
          if (got.status === 400) continue; // a spelling that is none of this channel
          refused(t, got, 403, 'identity_required', `${channel} ${endpoint}`);
        }
      }
      const got = await his('register', { channel: 'email', endpoint: 'vera@example.com' });
      refused(t, got, 403, 'identity_required', 'Viktor, who is proven, has not proven this');
    }),
  );

  await t.test(
    'what it cannot be it cannot read: no answer tells tags, addresses or devices',
    async (t) => {
      const answers = [
        await sdk('subscriber', {}, viktor.clientToken),
        await his('tags', { tags: { seen: true } }),
        await his('register', { channel: 'fcm', endpoint: 'phone-of-viktor-1' }),
        await page().call(`GET /v1/sdk/app/${app}`),
        await page().call(`GET ${base}/subscribers/${vera.id}`),
        await page().call(`GET ${base}/subscribers/${vera.id}`, undefined, {
          authorization: `Bearer ${viktor.clientToken}`,
        }),
      ];
      for (const { text } of answers)
        t.notMatch(text, /gold|900|@example|4155550100|phone-of-viktor|free/);
      t.same(
        answers.slice(4).map(({ status }) => status),
        [401, 401],
        'a client token is no API key',
      );
      const guess = (ordinal: number) =>
        page().call('POST /e', {
          appId: app,
          events: [
            { name: 'x', subscriberId: formatId('sub', { ordinal, atMs: 1, high16: 1, low32: 0 }) },
          ],
        });
      t.match((await guess(parseId('app', app)?.ordinal ?? 0)).json, { accepted: 0, rejected: 1 });
      const nowhere = [otherId(app), 'app_x', ''].map((id) => page().call(`GET /v1/sdk/app/${id}`));
      for (const { status } of await Promise.all(nowhere)) t.equal(status, 404);
    },
  );

  await t.test('events of others need their token where the app asks for proof', async (t) => {
    await api.must(`PATCH ${base}/settings`, { identityVerification: 'required' });
    const boughtBy = (subscriberId: string) => ({ name: 'bought', subscriberId });
    await unchanged(t, async () => {
      for (const token of ['', thief.clientToken, thiefKnown.clientToken]) {
        const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
        const got = await page().call(
          'POST /e',
          {
            appId: app,
            events: ['vera', 'viktor', 'nobody-yet'].map((externalUserId) => ({
              name: 'bought',
              externalUserId,
            })),
          },
          headers,
        );
        t.match(got.json, { accepted: 0, rejected: 3 });
        const byId = { appId: app, events: [vera.id, viktor.subscriberId].map(boughtBy) };
        t.match((await page().call('POST /e', byId, headers)).json, {
          accepted: 0,
          rejected: 2,
          errors: [{ error: /^subscriberId: / }, { error: /^subscriberId: / }],
        });
      }
      refused(
        t,
        await page().call(
          'POST /e',
          { appId: app, events: [{ name: 'x', externalUserId: 'vera' }] },
          { authorization: `Bearer ${elsewhere.clientToken}` },
        ),
        401,
        'invalid_client_token',
        "another app's token",
      );
      refused(
        t,
        await sdk('subscriber', { externalUserId: 'nobody-yet' }),
        403,
        'identity_required',
        'not even an id of nobody',
      );
      refused(
        t,
        await sdk('subscriber', { externalUserId: 'thief' }, thiefKnown.clientToken),
        403,
        'identity_required',
        'nor its own, without a hash',
      );
    });
    await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
  });

  await t.test(
    'after all of it a message reaches the devices of the victim, and no other',
    async (t) => {
      const { devices } = await api.must(`GET ${base}/subscribers/external:viktor`);
      const { id } = await api.must(`POST ${base}/notifications`, {
        externalUserId: 'viktor',
        title: 'Code',
        body: '1234',
      });
      const theirs = new Set(devices.map((device: { id: string }) => device.id));
      const outcomes = await eventually(async () => {
        const { outcomes } = await api.must(`GET ${base}/notifications/${id}`);
        return outcomes.length === 2 ? outcomes : undefined;
      }, 'both devices were tried');
      for (const { deviceId } of outcomes) t.ok(theirs.has(deviceId));
    },
  );

  await t.test(
    'a token of somebody erased is good for nothing, also for who comes after them',
    async (t) => {
      await api.must(`DELETE ${base}/subscribers/${viktor.subscriberId}`);
      const again = (await sdk('subscriber', proven)).json;
      t.not(again.subscriberId, viktor.subscriberId);
      for (const [line, body] of [
        ['subscriber', {}],
        ['subscriber', { externalUserId: 'viktor' }],
        ['tags', { tags: { plan: 'old' } }],
        ['register', { channel: 'fcm', endpoint: 'phone-of-viktor-1' }],
      ] as const)
        refused(t, await his(line, body), 401, 'invalid_client_token', line);
      t.same((await api.must(`GET ${base}/subscribers/external:viktor`)).tags, {});
    },
  );

  await t.test(
    'people are made up to the bound of the app, and no login of theirs is lost to it',
    async (t) => {
      const count = async () => {
        let people = 0;
        let cursor = '';
        do {
          const { items, nextCursor } = await api.must(
            `GET ${base}/subscribers?limit=200${cursor}`,
          );
          people += items.length;
          cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
        } while (cursor !== '');
        return people;
      };
      const before = await count();
      const got: Reply[] = [];
      const refused = () => got.filter(({ status }) => status === 429);
      // Those of one minute do not count for the next, which may begin at any moment.
      while (refused().length === 0 && got.length <= 2 * limits.keylessPeoplePerMinute)
        got.push(...(await Promise.all(Array.from({ length: 50 }, () => sdk('subscriber', {})))));
      const full = refused();
      t.ok(full.length > 0, 'more is refused');
      for (const { json, headers } of full) {
        t.equal(json.code, 'rate_limited');
        t.match(headers['retry-after'], /^[1-9]\d?$/);
      }
      const made = (await count()) - before;
      t.equal(made, got.length - full.length, 'a refusal makes nobody');
      t.ok(made <= 2 * limits.keylessPeoplePerMinute, 'in two minutes at the most');
      t.equal(
        (await sdk('subscriber', {}, thief.clientToken)).status,
        200,
        'who is somebody already logs in',
      );
    },
  );
}
