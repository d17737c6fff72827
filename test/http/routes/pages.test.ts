// What people and load balancers open: unsubscribing and health.

import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import { app, fakeFront } from './fake-front.ts';

t.test('opening an unsubscribe link asks, and changes nothing', async (t) => {
  const front = fakeFront(() => ({ name: 'Acme <Shop>' }));
  const got = await front.call('GET /u/good', { key: 'none' });
  t.equal(got.status, 200);
  t.match(got.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' });
  t.match(got.text, /<form method="post">/);
  t.match(got.text, /Acme &#60;Shop&#62;/);
  t.notMatch(got.text, /<script|<b>@|Acme </, 'nothing from outside becomes markup');
  t.same(
    front.asked.map(({ message }) => message.kind),
    ['app.read', 'opt_in.person_at', 'settings.read'],
  );
});

t.test(
  'a POST unsubscribes the sealed address, whatever its body, and may be repeated',
  async (t) => {
    const front = fakeFront(() => ({}));
    for (const headers of [
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ]) {
      const got = await front.call('POST /u/good', {
        key: 'none',
        headers,
        body: 'List-Unsubscribe=One-Click',
      });
      t.equal(got.status, 200);
      t.notOk('location' in got.headers || 'set-cookie' in got.headers);
    }
    t.same(front.asked[0], {
      to: app,
      message: {
        kind: 'suppression.add',
        by: -1,
        channel: 'email',
        address: 'ada<b>@example.com',
        source: 'unsubscribe',
      },
    });
    t.equal(front.asked.filter(({ message }) => message.kind === 'suppression.add').length, 2);
  },
);

t.test(
  'a forged link is a page with 404, a server that is busy one with 503 and another try',
  async (t) => {
    const front = fakeFront();
    for (const line of ['GET /u/bad', 'POST /u/bad']) {
      const got = await front.call(line, { key: 'none' });
      t.match([got.status, got.text], [404, /does not work/]);
    }
    t.same(front.asked, []);
    const busy = fakeFront(() => {
      throw { fault: fault('overloaded', 'too much to do', { retryAfterSeconds: 1 }) };
    });
    const got = await busy.call('POST /u/good', { key: 'none' });
    t.match([got.status, got.headers['retry-after'], got.text], [503, '1', /Try again/]);
  },
);

t.test('health says that the process is up, readiness that it serves', async (t) => {
  const front = fakeFront();
  t.match(await front.call('GET /healthz', { key: 'none' }), {
    status: 200,
    json: { status: 'ok' },
  });
  t.match(await front.call('GET /readyz', { key: 'none' }), {
    status: 200,
    json: { status: 'ready' },
  });
  front.setReady(false);
  t.equal((await front.call('GET /healthz', { key: 'none' })).status, 200);
  t.match(await front.call('GET /readyz', { key: 'none' }), {
    status: 503,
    json: { error: String },
  });
});

t.test('limits show the daily tally and both lanes, this call counted', async (t) => {
  const front = fakeFront(() => ({
    org: { dailySendCap: null, emailAllowance: 20_000 },
    daily: { used: 3, resetsMs: 86_400_000 },
    delivered: 2,
    reserved: 1,
    eventsRetentionDays: 90,
  }));
  const got = await front.call('GET /v1/org/limits', { key: 'read' });
  t.match(got.json, {
    dailySends: { cap: null, used: 3, resetsAt: '1970-01-02T00:00:00.000Z' },
    lanes: {
      transactional: { limit: 6000, remaining: 6000 },
      standard: { limit: 1200, remaining: 1199 },
    },
    perIpPerMinute: 1200,
    batchSize: 1000,
    emailAllowance: { included: 20_000, used: 2, reserved: 1 },
    eventsRetentionDays: 90,
  });
});

t.test('the page speaks the mail’s language, else the browser’s, in the app’s words', async (t) => {
  const wording = {
    vi: { confirmTitle: 'Thôi nhận tin của {app}?' },
    default: { unsubscribe: 'Leave <us>' },
  };
  const front = fakeFront((message) =>
    message.kind === 'settings.read' ? { wording } : { name: 'Acme' },
  );
  const open = async (path: string, language?: string) =>
    (
      await front.call(`GET ${path}`, {
        key: 'none',
        ...(language === undefined ? {} : { headers: { 'accept-language': language } }),
      })
    ).text;
  t.match(
    await open('/u/good?language=vi-vn', 'en'),
    /lang="vi-vn"[\s\S]*Thôi nhận tin của Acme\?/,
  );
  t.match(await open('/u/good?language=vi'), /sẽ không còn nhận email từ Acme/);
  t.match(await open('/u/good?language=vi'), /Leave &#60;us&#62;/, 'for languages without its own');
  t.match(await open('/u/good', 'xx, th;q=0.9, en;q=0.5'), /lang="th"[\s\S]*ยกเลิกการรับข่าวสาร/);
  t.match(await open('/u/good?language=ar'), /lang="ar" dir="rtl"/);
  for (const language of ['xx', '', '"><script>', 'vi.UTF-8@x'])
    t.notMatch(await open(`/u/good?language=${encodeURIComponent(language)}`), /<script/, language);
  t.match(await open('/u/bad?language=de'), /funktioniert nicht/);
});
