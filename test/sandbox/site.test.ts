// The page: its files under a strict policy, its live feed, and its door closed to strangers'
// pages.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { withSandbox } from './with-sandbox.ts';

t.test('every file the page names is served, under a policy without inline code', async (test) => {
  const { call } = await withSandbox(test);
  const page = await call('GET', '/');
  test.equal(page.status, 200);
  const named = [...page.text.matchAll(/(?:src|href)="(\/(?:inbox|looks)\/[^"]+)"/g)].map(
    ([, path]) => String(path),
  );
  test.ok(named.length >= 4);
  const paths = new Set(['/', ...named]);
  // A set is read to its end, also what is added on the way: what a file imports.
  for (const path of paths) {
    const reply = await call('GET', path);
    test.equal(reply.status, 200, path);
    const policy = String(reply.headers['content-security-policy']);
    test.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    test.notMatch(policy, /unsafe/);
    const imports = /^(?:import .*from '|@import url\(")([^'"]+)/gm;
    for (const [, imported = ''] of reply.text.matchAll(imports))
      paths.add(new URL(imported, `http://page${path}`).pathname);
  }
  test.notMatch(
    page.text,
    /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/,
    'no inline code or style',
  );
  for (const channel of channelIds) test.ok(paths.has(`/looks/${channel}.js`), channel);
  test.equal((await call('GET', '/inbox/../sandbox.ts')).status, 404);
  test.equal((await call('GET', '/looks/README.md')).status, 404);
});

t.test('a search without hits is told in the list, which a small screen shows', async (test) => {
  const { call } = await withSandbox(test);
  const { text } = await call('GET', '/');
  const side = /<section class="side"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
  test.match(side, /id="nothing" role="status" hidden>\s*No messages match this search\./);
  const script = (await call('GET', '/inbox/inbox.js')).text;
  test.match(script, "byId('nothing').hidden =");
  test.notMatch(
    (await call('GET', '/inbox/reader.js')).text,
    /[Aa]pp \$\{app\}/,
    'the number of an app within the engine is shown to nobody',
  );
});

t.test('arrivals and a clearing come through the event stream', async (test) => {
  const { url, call } = await withSandbox(test);
  const response = await fetch(`${url}/control/events`);
  test.match(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body?.getReader();
  if (!reader) throw new Error('a stream');
  let text = '';
  const until = async (mark: string) => {
    while (!text.includes(mark)) text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await until('event: ready');
  const body = { message: { token: 'ada', notification: { title: 'Live' } } };
  await call('POST', '/fcm/v1/projects/p/messages:send', body, { authorization: 'Bearer sandbox' });
  await until('event: messages');
  await until('\n\n');
  const data = /event: messages\ndata: (.*)\n/.exec(text)?.[1] ?? '';
  test.match(JSON.parse(data), { messages: [{ to: 'ada', title: 'Live' }], more: 0, held: 1 });
  await call('DELETE', '/control/messages');
  await until('event: cleared');
  await reader.cancel();
});

t.test('a page of another origin or a rebound name reads and sets nothing', async (test) => {
  const { call, url } = await withSandbox(test);
  const { host } = new URL(url);
  test.equal(
    (await call('GET', '/control/messages', undefined, { host: 'evil.example' })).status,
    403,
  );
  test.equal(
    (await call('POST', '/control/reset', {}, { origin: 'https://evil.example' })).status,
    403,
  );
  test.equal((await call('POST', '/control/reset', {}, { origin: 'null' })).status, 403);
  test.equal((await call('POST', '/control/reset', {}, { origin: url })).status, 200);
  test.equal(
    (await call('GET', '/', undefined, { host: `localhost:${host.split(':')[1]}` })).status,
    200,
  );
});
