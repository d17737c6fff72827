// What one network address may do without a key: calls a minute, and new people (specification,
// "Limits"). Lanes and caps are in rate-lanes.test.ts.

import t from 'tap';
import { type Client, client } from '../support/server.ts';
import { chapter, checkRefusal, perIp } from './chapter.ts';

const all = await chapter(t, { ENGAGE_PER_IP_PER_MINUTE: String(perIp) });
const { api, app, server } = all;

let address = 0;
/** A client without a key, at an address of its own. */
function page(): Client {
  address++;
  const headers = { 'x-forwarded-for': `10.9.${address >> 8}.${address & 255}` };
  return client(server.url, '', headers);
}

t.test('the ceiling per address is the one shown', async (t) => {
  const { perIpPerMinute } = await api.must('GET /v1/org/limits');
  t.equal(perIpPerMinute, perIp);
  const stranger = page();
  const line = `GET /v1/sdk/app/${app}`;
  for (let n = 0; n < perIpPerMinute; n++) t.equal((await stranger.call(line)).status, 200);
  t.equal((await stranger.call(line)).status, 429);
  t.equal((await page().call(line)).status, 200, 'another address has its own');
});

t.test(
  'an address has one limit for all keyless calls, and the refusal says when to retry',
  async (t) => {
    const flooder = page();
    const answers = [];
    for (let i = 0; i < perIp + 3; i++)
      answers.push(
        i % 2 === 0
          ? await flooder.call(`GET /v1/sdk/app/${app}`)
          : await flooder.call('POST /e', {
              appId: app,
              events: [{ name: 'x', subscriberId: 'y' }],
            }),
      );
    t.same(
      answers.map(({ status }) => status === 429),
      answers.map((_, i) => i >= perIp),
    );
    const last = answers.at(-1);
    t.match(last?.headers['retry-after'], /^\d+$/);
    t.equal(last?.json.code, 'rate_limited');
    t.equal((await page().call(`GET /v1/sdk/app/${app}`)).status, 200, 'others are not concerned');
  },
);

t.test(
  'an address makes 60 people of an app a minute; another, and who is known, are not concerned',
  async (t) => {
    const { id: own } = await api.must('POST /v1/apps', { name: 'Bounded' });
    const [crowd, other] = [page(), page()];
    const send = (from: Client, users: readonly string[]) =>
      from.call('POST /e', {
        appId: own,
        events: users.map((externalUserId) => ({ name: 'seen', externalUserId })),
      });
    const users = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${prefix}${i}`);
    const flood = await send(crowd, users('junk', 1_000));
    t.match(flood.json, { accepted: 60, rejected: 940 });
    t.same(Object.keys(flood.json).sort(), ['accepted', 'errors', 'rejected']);
    t.equal(
      flood.json.errors[0].error,
      'externalUserId: at most 60 new people per minute from one address without an API key',
    );
    const refusedLogin = await crowd.call('POST /v1/sdk/subscriber', { appId: own });
    checkRefusal(t, refusedLogin, { status: 429, code: 'rate_limited' }, 'a login of a new person');
    t.match(refusedLogin.headers['retry-after'], /^([1-9]|[1-5]\d|60)$/);
    t.equal(
      (await crowd.call('POST /v1/sdk/subscriber', { appId: own, externalUserId: 'junk7' })).status,
      200,
      'who is there already logs in',
    );
    t.match((await send(crowd, ['junk7', 'junk8'])).json, { accepted: 2, rejected: 0 });
    const login = await other.call('POST /v1/sdk/subscriber', { appId: own });
    t.same([login.status, Object.keys(login.json).sort()], [200, ['clientToken', 'subscriberId']]);
    t.match((await send(other, ['new'])).json, { accepted: 1, rejected: 0 });
    t.equal(
      (await crowd.call('POST /v1/sdk/subscriber', { appId: app })).status,
      200,
      'another app has a bound of its own',
    );

    // What a call does not use is given back, also to those that came meanwhile.
    const many = page();
    const same = Array.from({ length: 12 }, (_, i) => send(many, [`p${i}`, ...users('q', 57)]));
    for (const reply of await Promise.all(same)) {
      t.ok(reply.json.accepted >= 57, 'the shared ones');
      for (const { error } of reply.json.errors) t.match(error, /from one address/);
    }
    const people = async () => {
      let count = 0;
      for (let cursor = ''; ; ) {
        const got = await api.must(`GET /v1/apps/${own}/subscribers?limit=200${cursor}`);
        count += got.items.length;
        if (got.nextCursor === null) return count;
        cursor = `&cursor=${got.nextCursor}`;
      }
    };
    t.equal(await people(), 60 + 2 + 60, 'no more was made than 60 an address');
    // An escaped key is a key.
    const hidden = page();
    const events = users('h', 100).map((user) => `{"name":"x","external\\u0055serId":"${user}"}`);
    t.match((await hidden.call('POST /e', `{"appId":"${own}","events":[${events}]}`)).json, {
      accepted: 60,
      rejected: 40,
    });

    let made = await people();
    for (let i = 0; made < 600; i++) {
      t.equal((await send(page(), users(`more${i}-`, 60))).status, 202);
      made = await people();
      if (i > 30) break;
    }
    // The app's minute may have ended meanwhile; then it takes as many again.
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await send(page(), users(`last${i}-`, 60)));
    const full = answers.flatMap(({ json }) => json.errors)[0];
    t.match(
      full?.error,
      /^externalUserId: at most 600 new people per minute in an app without an API key/,
    );
  },
);
