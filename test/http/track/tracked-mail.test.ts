// The open pixel and the tracked links of emails, as mail programs and scanners call them.

import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import { app, fakeFront, trackedMail } from '../routes/fake-front.ts';

const none = { key: 'none' };
const reader = { key: 'none', headers: { 'user-agent': 'Mail/1.0' } };
const { url, ...mail } = trackedMail;

t.test('the pixel is a GIF of 43 bytes that nobody keeps, and its look is recorded', async (t) => {
  const front = fakeFront(() => null);
  const got = await front.call('GET /o/open.gif', reader);
  t.equal(got.status, 200);
  t.match(got.headers, { 'content-type': 'image/gif', 'cache-control': 'no-store, private' });
  const tracked = { ...mail, kind: 'opened', url: undefined };
  t.match(front.asked, [
    { to: app, message: { kind: 'callback.engaged', by: -1, userAgent: 'Mail/1.0' } },
  ]);
  t.match(front.asked[0]?.message, { tracked: { kind: tracked.kind, sendId: mail.sendId } });
});

t.test('a link goes to exactly the address that was signed, and is recorded', async (t) => {
  const front = fakeFront(() => null);
  const got = await front.call('GET /c/link?to=https://evil.example/&url=//evil', reader);
  t.equal(got.status, 302);
  t.equal(got.headers['location'], url);
  t.equal(got.headers['cache-control'], 'no-store, private');
  t.match(front.asked, [
    { message: { kind: 'callback.engaged', tracked: { kind: 'clicked', url, person: 3 } } },
  ]);
});

t.test('who only looks ahead is answered the same and not recorded', async (t) => {
  const front = fakeFront(() => null);
  t.match(await front.call('HEAD /o/open.gif', none), { status: 200 });
  t.match(await front.call('HEAD /c/link', none), { status: 302, headers: { location: url } });
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])
    for (const line of ['GET /o/open.gif', 'GET /c/link'])
      t.ok((await front.call(line, { ...none, headers })).status < 400);
  t.same(front.asked, []);
});

t.test('a token that is not ours, or is of the other kind, is 404', async (t) => {
  const front = fakeFront(() => null);
  for (const path of ['/o/none.gif', '/o/open', '/o/link.gif', '/c/none', '/c/open', '/c/link.gif'])
    t.equal((await front.call(`GET ${path}`, none)).status, 404, path);
  t.equal((await front.call('POST /c/link', none)).status, 405);
  t.same(front.asked, []);
});

t.test('a reader gets what the mail promised also where it cannot be recorded', async (t) => {
  const front = fakeFront(() => {
    throw { fault: fault('overloaded', 'later') };
  });
  t.equal((await front.call('GET /o/open.gif', none)).status, 200);
  t.equal((await front.call('GET /c/link', none)).headers['location'], url);
});
