// How calls with a session's cookie pass: over https its cookie has another name, an old sign-in
// does not allow sensitive changes, and a use is noted.

import t from 'tap';
import type { KeyGrant, SessionGrant } from '../../../../actors/tenants/accounts/protocol.ts';
import { makeKey, makeSession } from '../../../../http/call/admission/authenticate.ts';
import { fakeFront } from '../../routes/fake-front.ts';

const hourMs = 3_600_000;
const publicUrl = 'https://engage.example.com';
const own = { 'sec-fetch-site': 'same-origin', 'x-engage-dashboard': '1' };

/** A front with one person signed in `hours` ago. */
function scene(hours: number, role: 'owner' | 'editor' = 'owner', seenHoursAgo = 0) {
  const made = makeSession(77);
  const front = fakeFront(
    (message) => {
      if (message.kind === 'session.find') return grant;
      if (message.kind === 'key.list') return [];
      return message.kind === 'org.exists' ? true : null;
    },
    { ENGAGE_MODE: 'live', ENGAGE_PUBLIC_URL: publicUrl, ENGAGE_VAPID_SUBJECT: 'mailto:a@b.test' },
  );
  const nowMs = front.edge.clock.now();
  const session: SessionGrant = {
    id: 'ses_1',
    keyId: made.keyId,
    member: { id: 'mbr_1', email: 'ada@acme.example', role },
    signedInMs: nowMs - hours * hourMs,
    seenMs: nowMs - seenHoursAgo * hourMs,
    expiresMs: nowMs + hourMs,
  };
  const grant: KeyGrant = {
    keyObjectId: 'mbr_1',
    secretHash: made.secretHash,
    scopes: role === 'owner' ? ['read', 'write', 'send', 'admin'] : ['read', 'write', 'send'],
    org: 4173,
    orgId: 'org_test',
    app: null,
    appId: null,
    rateLimits: { transactional: 6000, standard: 1200 },
    session,
  };
  const call = (line: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
    front.call(line, {
      key: 'none',
      headers: { cookie: `a=1; __Host-engage=${made.text}`, ...own, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  return { ...front, plain: front.call, call, text: made.text };
}

t.test('over https the cookie is __Host-engage, and no other counts', async (t) => {
  const { call, text } = scene(1);
  t.equal((await call('GET /v1/keys')).status, 200);
  t.equal((await call('GET /v1/keys', { cookie: `engage=${text}` })).status, 401);
  const out = await call('DELETE /v1/session');
  t.equal(out.status, 204);
  t.equal(
    out.headers['set-cookie'],
    '__Host-engage=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict',
  );
});

t.test('without Sec-Fetch-Site the Origin must be that of the public URL', async (t) => {
  const { text, plain } = scene(1);
  for (const [origin, status] of [
    [publicUrl, 204],
    [`${publicUrl}.evil.example`, 401],
    ['http://engage.example.com', 401],
    ['null', 401],
    ['', 401],
  ] as const) {
    const headers = { cookie: `__Host-engage=${text}`, 'x-engage-dashboard': '1', origin };
    const got = await plain('DELETE /v1/session', { key: 'none', headers });
    t.equal(got.status, status, origin);
  }
});

t.test('a sign-in older than twelve hours changes no keys and deletes nothing', async (t) => {
  for (const [hours, refused] of [
    [11, false],
    [13, true],
  ] as const) {
    const { call, asked } = scene(hours);
    const kinds = () => asked.splice(0).map(({ message }) => message.kind);
    kinds();
    const lines: readonly (readonly [string, unknown])[] = [
      ['POST /v1/org/members', { email: 'a@b.test', role: 'owner' }],
      ['DELETE /v1/keys/key_1', undefined],
      ['DELETE /v1/apps/app_1/segments/seg_1', undefined],
    ];
    for (const [line, body] of lines) {
      const { status, json } = await call(line, {}, body);
      t.equal(status === 403, refused, `${line} after ${hours} hours: ${status}`);
      if (refused) t.match(json, { code: 'sign_in_again', error: /sign in again/ });
    }
    t.equal((await call('GET /v1/keys')).status, 200, 'reads stay');
  }
});

t.test('a lacking scope names the role', async (t) => {
  const { call } = scene(1, 'editor');
  const { status, json } = await call('GET /v1/keys');
  t.equal(status, 403);
  t.match(json, { error: 'the role editor lacks the scope admin; it has read, write, send' });
});

t.test(
  'a look-up notes that the session is in use, and the cache spares it the rest',
  async (t) => {
    const { call, asked, pass } = scene(1, 'owner', 1);
    for (let nth = 0; nth < 3; nth++) await call('GET /v1/keys');
    const touches = () => asked.filter(({ message }) => message.kind === 'session.touch').length;
    t.equal(touches(), 1);
    t.equal(asked.filter(({ message }) => message.kind === 'session.find').length, 1);
    pass(61_000);
    await call('GET /v1/keys');
    t.equal(touches(), 2);
  },
);

t.test('an API key as the value of the cookie signs nobody in', async (t) => {
  const { call } = scene(1);
  const { text } = makeKey(77);
  const cookie = `__Host-engage=${text}`;
  t.equal((await call('GET /v1/org', { cookie })).status, 401);
});
