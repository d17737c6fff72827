// Whoever has a right key, link or session passes, whatever others at the same address do, and
// wrong ones cost only so many look-ups.

import fc from 'fast-check';
import t from 'tap';
import { makeKey, makeSession } from '../../../../http/call/admission/authenticate.ts';
import { makeWriteKey } from '../../../../http/call/keys/write-keys.ts';
import { exampleIds } from '../../../../http/call/schemas/example-ids.ts';
import { makeLinkToken } from '../../../../http/call/session/link-token.ts';
import { tries } from '../../../support/tries.ts';
import { fakeFront } from '../../routes/fake-front.ts';

const own = { 'sec-fetch-site': 'same-origin', 'x-engage-dashboard': '1' };
const lookUps = new Set([
  'session.find',
  'session.read_link',
  'session.open_by_link',
  'cdp.verify',
  'key.find',
]);

/** A front after a restart: nothing is cached. */
function coldFront() {
  const session = makeSession(77);
  const ended = makeSession(77);
  const link = makeLinkToken(77);
  const used = makeLinkToken(77);
  const writeKey = makeWriteKey();
  const sessionGrant = () => ({
    keyObjectId: 'mbr_1',
    secretHash: session.secretHash,
    scopes: ['read'],
    org: 4173,
    orgId: 'org_test',
    app: null,
    appId: null,
    rateLimits: { transactional: 6000, standard: 1200 },
    session: {
      id: 'ses_1',
      keyId: session.keyId,
      member: { id: 'mbr_1', email: 'ada@acme.example', role: 'viewer' },
      signedInMs: front.edge.clock.now(),
      seenMs: front.edge.clock.now(),
      expiresMs: front.edge.clock.now() + 3_600_000,
    },
  });
  const front = fakeFront(
    (message) => {
      const asked = message as unknown as Readonly<Record<string, unknown>>;
      switch (message.kind) {
        case 'session.find':
          return asked['keyId'] === session.keyId ? sessionGrant() : null;
        case 'session.read_link':
          return asked['hash'] === link.hash
            ? { email: 'ada@acme.example', orgId: 'org_1', orgName: 'Acme', expiresMs: 1 }
            : null;
        case 'session.open_by_key':
          return null;
        case 'cdp.verify':
          return Buffer.compare(asked['secretHash'] as Uint8Array, writeKey.secretHash) === 0;
        case 'events.ingest':
          return { ...nothing, keylessCreated: 0, repeated: 0, namesBrought: 0 };
        case 'cdp.take':
          return { handled: (asked['calls'] as unknown[]).length, errors: [] };
        default:
          return message.kind === 'org.read' ? { ...plainOrg } : [];
      }
    },
    { ENGAGE_MODE: 'sandbox', ENGAGE_PER_IP_PER_MINUTE: '50' },
  );
  front.list(session.keyId, session.secretHash);
  front.list(ended.keyId, ended.secretHash);
  front.list('', Buffer.from(link.hash, 'hex'));
  front.list('', Buffer.from(used.hash, 'hex'));
  front.list(exampleIds.app, writeKey.secretHash);
  for (let nth = 0; nth < deadKeys; nth++) {
    const dead = makeKey(77);
    front.list(dead.keyId, dead.secretHash);
    dying.push(dead.text);
  }
  return { front, session, ended, link, used, writeKey };
}

const nothing = { accepted: 0, rejected: 0, errors: [] };
const deadKeys = 5;
let dying: string[] = [];
const plainOrg = { id: 'org_1', name: 'Acme', createdMs: 0, rateLimits: {}, parentOrgId: null };

type Scene = ReturnType<typeof coldFront>;
type Calling = (scene: Scene, from: string, nth: number) => Promise<{ readonly status: number }>;

const cookie = (text: string) => ({ cookie: `engage=${text}`, ...own });
const basic = (key: string) => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});
const cdp = ({ front }: Scene, from: string, key: string) =>
  front.call(`POST /i/cdp/${exampleIds.app}`, {
    key: 'none',
    from,
    headers: basic(key),
    body: { batch: [] },
  });

/** Who has no right to anything. */
const others: Readonly<Record<string, Calling>> = {
  'no credential': ({ front }, from) => front.call('GET /v1/org', { key: 'none', from }),
  'no operator token': ({ front }, from) => front.call('POST /v1/orgs', { key: 'none', from }),
  'nonsense as a key': ({ front }, from) => front.call('GET /v1/org', { key: 'wrong', from }),
  'another scheme': ({ front }, from) =>
    front.call('GET /v1/org', { key: 'none', from, headers: basic('x') }),
  'a wrong operator token': ({ front }, from, nth) =>
    front.call('POST /v1/orgs', { key: `guess-${nth}`, from, body: { name: 'x' } }),
  'an unknown key': ({ front }, from) => front.call('GET /v1/org', { key: makeKey(77).text, from }),
  'a deleted key': ({ front }, from, nth) =>
    front.call('GET /v1/org', { key: dying[nth % deadKeys] ?? '', from }),
  'a wrong secret': ({ front }, from, nth) =>
    front.call('GET /v1/org', {
      key: `${front.keyText('read').slice(0, 16)}${String(nth).padStart(43, 'w')}`,
      from,
    }),
  'a wrong secret of events': ({ front }, from, nth) =>
    front.call('POST /e', {
      key: `${front.keyText('write').slice(0, 16)}${String(nth).padStart(43, 'w')}`,
      from,
      body: { appId: exampleIds.app, events: [] },
    }),
  'an unknown path': ({ front }, from) =>
    front.call('GET /v1/nothing', { key: makeKey(77).text, from }),
  'an old session that polls': ({ front, ended }, from) =>
    front.call('GET /v1/org', { key: 'none', from, headers: cookie(ended.text) }),
  'a session without the page’s headers': ({ front, session }, from) =>
    front.call('GET /v1/org', {
      key: 'none',
      from,
      headers: { cookie: `engage=${session.text}` },
    }),
  'visitors without a session': ({ front }, from) =>
    front.call('GET /v1/session', { key: 'none', from, headers: own }),
  'keyless events': ({ front }, from) =>
    front.call('POST /e', { key: 'none', from, body: { appId: exampleIds.app, events: [] } }),
  'a wrong link': ({ front }, from) => readLink(front, from, makeLinkToken(77).text),
  'a used link': ({ front, used }, from) => readLink(front, from, used.text),
  'a wrong key at the sign-in': ({ front }, from) =>
    front.call('POST /v1/session', {
      key: 'none',
      from,
      headers: own,
      body: { apiKey: makeKey(77).text },
    }),
  'a wrong write key': (scene, from) => cdp(scene, from, makeWriteKey().text),
};

function readLink(front: Scene['front'], from: string, link: string) {
  const sent = { key: 'none', from, headers: own, body: { link } };
  return front.call('POST /v1/session/link/read', sent);
}

/** Who has one, with what they must get. */
const rightful: Readonly<Record<string, readonly [Calling, number]>> = {
  'a key': [({ front }, from) => front.call('GET /v1/org', { key: 'read', from }), 200],
  'a key of events': [
    ({ front }, from) =>
      front.call('POST /e', {
        key: 'write',
        from,
        body: { appId: exampleIds.app, events: [] },
      }),
    202,
  ],
  'the operator': [
    ({ front }, from) => front.call('POST /v1/orgs', { key: 'bootstrap', from, body: {} }),
    400,
  ],
  'a session': [
    ({ front, session }, from) =>
      front.call('GET /v1/org', { key: 'none', from, headers: cookie(session.text) }),
    200,
  ],
  'a visitor with a session': [
    ({ front, session }, from) =>
      front.call('DELETE /v1/session', { key: 'none', from, headers: cookie(session.text) }),
    204,
  ],
  'a link': [({ front, link }, from) => readLink(front, from, link.text), 200],
  'a write key': [(scene, from) => cdp(scene, from, scene.writeKey.text), 200],
};

const addresses = ['198.51.100.1', '198.51.100.2', '2001:db8:1:1::1', '2001:db8:1:2::1'];

t.test('a right key, link and session always pass, and look-ups stay bounded', async () => {
  const step = fc.record({
    from: fc.constantFrom(...addresses),
    other: fc.constantFrom(...Object.keys(others)),
    times: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(650)),
    right: fc.constantFrom(...Object.keys(rightful)),
    waitMs: fc.constantFrom(0, 0, 0, 900, 30_000, 61_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      dying = [];
      const scene = coldFront();
      const { front } = scene;
      let minutes = 1;
      for (const { from, other, times, right, waitMs } of steps) {
        for (let nth = 0; nth < times; nth++) {
          const { status } = (await others[other]?.(scene, from, nth)) ?? { status: 0 };
          if (status >= 500 || status === 0) return false;
        }
        const [call, wanted] = rightful[right] ?? [];
        const { status } = (await call?.(scene, from, 0)) ?? { status: 0 };
        if (status !== wanted) throw new Error(`${right} after ${other}: ${status}`);
        front.pass(waitMs);
        if (waitMs > 0) minutes++;
      }
      const asked = front.asked.filter(({ message }) => lookUps.has(message.kind)).length;
      const lookedUp = asked + front.looked.length;
      // One for each right use and each that has ended, then what addresses may try.
      const ended = deadKeys + 2;
      if (lookedUp > steps.length + ended + 600 * addresses.length * minutes)
        throw new Error(`${lookedUp} look-ups in ${minutes} minutes`);
      return front.bugs.length === 0;
    }),
    { seed: 4_11, numRuns: tries(40) },
  );
});

t.test('ten thousand deleted keys behind one proxy stop nobody after a restart', async (t) => {
  dying = [];
  const scene = coldFront();
  const { front } = scene;
  for (let nth = 0; nth < 10_000; nth++) {
    await front.call('GET /v1/org', { key: makeKey(77).text });
    if (nth % 1_000 === 0)
      for (const [what, [call, wanted]] of Object.entries(rightful))
        t.equal((await call(scene, '127.0.0.1', nth)).status, wanted, what);
  }
  t.ok(front.looked.length <= 602, `${front.looked.length}`);
});

t.test(
  'what a look-up shows to be over leaves the list, and what was made meanwhile stays',
  async (t) => {
    const { front, used, link } = coldFront();
    const isListed = (hash: string) => front.edge.credentials.has('', Buffer.from(hash, 'hex'));
    t.same([isListed(used.hash), isListed(link.hash)], [true, true]);
    await readLink(front, '127.0.0.1', used.text);
    await readLink(front, '127.0.0.1', link.text);
    t.same([isListed(used.hash), isListed(link.hash)], [false, true]);
    const made = makeKey(77);
    const looked = front.call('GET /v1/org', { key: made.text });
    front.list(made.keyId, made.secretHash); // the look-up is on its way
    t.equal((await looked).status, 401);
    t.ok(front.edge.credentials.has(made.keyId, made.secretHash));
  },
);
