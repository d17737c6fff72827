// Zalo's access tokens: what each response of the token endpoint means, when a token is renewed,
// and which stored credential a send's own matches.

import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import { fingerprintOf } from '../../../../actors/channels/port/fingerprint.ts';
import type { Rotated, Rotation } from '../../../../actors/channels/port/rotation.ts';
import {
  createZaloTokens,
  type ZaloCredential,
} from '../../../../actors/channels/zalo/access-token.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { acceptedMs, fixedClock, type HttpBehavior, httpStandIn } from '../stand-ins.ts';

const first: ZaloCredential = {
  appId: '123456789012',
  appSecret: 'the-secret-of-the-app',
  refreshToken: 'refresh-token-0',
};

async function rig(t: Test, timeoutMs = 5_000) {
  let made = 0;
  let seconds: unknown = '90000';
  const give: HttpBehavior = (_call, response) => {
    made++;
    const body = { access_token: `access-${made}`, refresh_token: `refresh-token-${made}` };
    response.end(JSON.stringify({ ...body, expires_in: seconds }));
  };
  const oauth = await httpStandIn(give);
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs });
  t.teardown(async () => {
    await outbound.close(0);
    await oauth.close();
  });
  const clock = fixedClock(acceptedMs);
  const rotated: Rotation[] = [];
  let answer: Rotated = 'kept';
  const tokens = createZaloTokens({
    outbound,
    clock,
    tokenUrl: `${oauth.url}/v4/oa/access_token`,
    rotate: (_appId, _name, rotation) => {
      rotated.push(rotation);
      return Promise.resolve(answer);
    },
  });
  return {
    oauth,
    clock,
    tokens,
    rotated,
    give,
    lives: (life: unknown) => {
      seconds = life;
    },
    answers: (next: Rotated) => {
      answer = next;
    },
    stored: () => rotated.at(-1)?.credential as unknown as ZaloCredential,
  };
}

t.test('a refresh is the call that Zalo asks for, and all of it is handed back', async (t) => {
  const { oauth, tokens, rotated } = await rig(t);
  t.same(
    await Promise.all(Array.from({ length: 100 }, () => tokens.get('app_1', first))),
    Array(100).fill('access-1'),
  );
  t.equal(oauth.calls.length, 1);
  const [call] = oauth.calls;
  t.match(call, {
    method: 'POST',
    path: '/v4/oa/access_token',
    headers: { secret_key: first.appSecret, 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.same(Object.fromEntries(new URLSearchParams(String(call?.body))), {
    refresh_token: 'refresh-token-0',
    app_id: first.appId,
    grant_type: 'refresh_token',
  });
  const renewMs = acceptedMs + 90_000_000 - 5 * minuteMs;
  t.same(rotated, [
    {
      credential: {
        ...first,
        refreshToken: 'refresh-token-1',
        access: { token: 'access-1', renewMs },
      },
      replaces: fingerprintOf(first),
    },
  ]);
});

t.test('what an answer without a token means', async (t) => {
  const cases: [what: string, behavior: HttpBehavior, outcome: object][] = [
    [
      'a spent token',
      {
        status: 200,
        body: JSON.stringify({
          error: -14014,
          error_name: 'Invalid refresh token',
          error_description: `refresh-token-0 of 123456789012 with the-secret-of-the-app`,
        }),
      },
      {
        outcome: 'config',
        reason: 'refresh_token_refused',
        detail: /upload it: error -14014: Invalid refresh token, … of … with …$/,
      },
    ],
    ['a refusal by status', { status: 400, body: '{}' }, { outcome: 'config' }],
    [
      'a throttle',
      { status: 429 },
      { outcome: 'rate', reason: 'zalo_token_throttled', atLeastMs: 60_000 },
    ],
    [
      'a throttle that says for how long',
      { status: 429, headers: { 'retry-after': '9' } },
      { outcome: 'rate', retryAfterMs: 9_000 },
    ],
    [
      'an endpoint that is down',
      { status: 503, headers: { 'retry-after': '3' } },
      { outcome: 'retry', reason: 'zalo_token_unavailable', retryAfterMs: 3_000 },
    ],
    [
      'a page',
      { status: 200, body: '<html>' },
      { outcome: 'retry', reason: 'zalo_token_unreadable' },
    ],
    ['an answer that was cut', 'cut', { outcome: 'retry', reason: 'zalo_token_connection_lost' }],
    ['silence', 'hang', { outcome: 'retry', reason: 'zalo_token_timeout' }],
  ];
  for (const [what, behavior, outcome] of cases) {
    const { oauth, tokens, rotated, give } = await rig(t, 200);
    oauth.meet(behavior);
    t.match(await tokens.get('app_1', first), outcome, what);
    t.same(rotated, [], 'there is nothing to keep');
    oauth.meet(give);
    t.equal(await tokens.get('app_1', first), 'access-1', 'and the next send asks again');
  }
});

t.test(
  'a token is renewed five minutes before it ends, a short one at half its life',
  async (t) => {
    const lives: [seconds: unknown, usedMs: number][] = [
      ['90000', 90_000_000 - 5 * minuteMs],
      [3600, 55 * minuteMs],
      ['600', 5 * minuteMs],
      ['60', minuteMs / 2],
      ['soon', 55 * minuteMs],
    ];
    for (const [seconds, usedMs] of lives) {
      const { tokens, clock, lives, stored } = await rig(t);
      lives(seconds);
      t.equal(await tokens.get('app_1', first), 'access-1');
      clock.nowMs = acceptedMs + usedMs - 1;
      t.equal(await tokens.get('app_1', first), 'access-1', 'what came with older sends is known');
      t.equal(await tokens.get('app_1', stored()), 'access-1');
      clock.nowMs = acceptedMs + usedMs;
      t.equal(await tokens.get('app_1', first), 'access-2');
      t.equal(stored().refreshToken, 'refresh-token-2');
    }
  },
);

t.test('what was not kept is asked again and not fetched again', async (t) => {
  const { tokens, oauth, rotated, answers, stored } = await rig(t);
  answers('unavailable');
  for (let i = 0; i < 3; i++)
    t.match(await tokens.get('app_1', first), { outcome: 'retry', reason: 'credential_not_kept' });
  answers('kept');
  t.equal(await tokens.get('app_1', first), 'access-1');
  t.equal(oauth.calls.length, 1);
  t.equal(rotated.length, 4);
  t.equal(new Set(rotated.map((one) => JSON.stringify(one))).size, 1, 'the same each time');
  t.equal(stored().refreshToken, 'refresh-token-1');
});

t.test('what was kept without a word comes with the next send, and is used', async (t) => {
  const { tokens, oauth, answers, stored } = await rig(t);
  answers('unavailable');
  await tokens.get('app_1', first);
  t.equal(await tokens.get('app_1', stored()), 'access-1');
  t.equal(oauth.calls.length, 1);
});

t.test('after an upload the old credential is left alone, and the new one is used', async (t) => {
  const { tokens, oauth, answers, clock } = await rig(t);
  answers('superseded');
  const superseded = { outcome: 'retry', reason: 'credential_superseded' };
  t.match(await tokens.get('app_1', first), superseded);
  t.match(await tokens.get('app_1', first), superseded, 'of sends that were granted before');
  t.equal(oauth.calls.length, 1);
  answers('kept');
  const fresh = { ...first, refreshToken: 'uploaded' };
  t.equal(await tokens.get('app_1', fresh), 'access-2');
  t.match(String(oauth.calls.at(-1)?.body), /refresh_token=uploaded/);
  t.equal(await tokens.get('app_2', first), 'access-3', 'apps have nothing to do with each other');

  answers('superseded');
  const third = { ...first, refreshToken: 'third' };
  t.match(await tokens.get('app_1', third), superseded);
  clock.nowMs += minuteMs;
  answers('kept');
  t.equal(
    await tokens.get('app_1', third),
    'access-5',
    'what still comes a minute later is stored',
  );
});

t.test('a refused token is made anew once, not while it is young, and by one send', async (t) => {
  const { tokens, oauth, clock } = await rig(t);
  await tokens.get('app_1', first);
  t.equal(tokens.refuse('app_1', 'access-1'), false);
  t.equal(await tokens.get('app_1', first), 'access-1');
  clock.nowMs += minuteMs;
  t.equal(tokens.refuse('app_1', 'access-1'), true);
  t.equal(tokens.refuse('app_1', 'access-1'), true);
  t.same(await Promise.all([tokens.get('app_1', first), tokens.get('app_1', first)]), [
    'access-2',
    'access-2',
  ]);
  t.equal(tokens.refuse('app_1', 'access-1'), true, 'which is over: there is another');
  t.equal(await tokens.get('app_1', first), 'access-2');
  t.equal(oauth.calls.length, 2);
});

t.test('an answer without a refresh token leaves the old one in its place', async (t) => {
  const { tokens, oauth, stored } = await rig(t);
  oauth.meet({ status: 200, body: JSON.stringify({ access_token: 'a', expires_in: '90000' }) });
  t.equal(await tokens.get('app_1', first), 'a');
  t.equal(stored().refreshToken, first.refreshToken);
});
