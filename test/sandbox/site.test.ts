// The page: its files under a strict policy, its live feed, and its door closed to strangers'
// pages.

import t from 'tap';
import { withSandbox } from './with-sandbox.ts';

t.test('every file the page needs is served, under a policy without inline code', async (test) => {
  const { call } = await withSandbox(test);
  const page = await call('GET', '/');
  test.equal(page.status, 200);
  const paths = new Set(['/', ...pathsIn(page.text)]);
  test.ok(paths.size >= 3, 'the page names a script and a style sheet');
  // A set is read to its end, also what is added on the way: what a file imports.
  for (const path of paths) {
    const reply = await call('GET', path);
    test.equal(reply.status, 200, path);
    const policy = String(reply.headers['content-security-policy']);
    test.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    test.notMatch(policy, /unsafe/);
    if (!path.endsWith('.woff2')) for (const found of pathsIn(reply.text)) paths.add(found);
  }
  test.notMatch(
    page.text,
    /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/,
    'no inline code or style',
  );
  for (const kind of [/looks-\w+\.js$/, /looks-\w+\.css$/, /inter-latin-[\w-]+\.woff2$/])
    test.ok(
      [...paths].some((path) => kind.test(path)),
      String(kind),
    );
});

t.test('nothing else is served', async (test) => {
  const { call } = await withSandbox(test);
  const others = ['/inbox/../sandbox.ts', '/inbox/..%2findex.html', '/inbox/index.html'];
  for (const path of [...others, '/inbox/main.js', '/inbox/', '/index.html', '/looks/looks.js'])
    test.equal((await call('GET', path)).status, 404, path);
});

/** The files that a page, a script or a style sheet names. */
function pathsIn(text: string): readonly string[] {
  const absolute = [...text.matchAll(/\/inbox\/[\w-]+\.(?:js|css|woff2)/g)].map(([path]) => path);
  const relative = [...text.matchAll(/"\.(\/[\w-]+\.js)"/g)].map(([, path]) => `/inbox${path}`);
  return [...absolute, ...relative];
}

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
