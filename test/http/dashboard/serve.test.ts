// What `/dashboard` serves: the page for every address below it, files that are cached for good,
// and the policy around them.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { Dashboard } from '../../../http/dashboard/built-files.ts';
import { dashboardSpecial } from '../../../http/dashboard/serve.ts';
import type { HeaderList, HttpRequest, HttpResponder } from '../../../http/server/exchange.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const drawn = {
  early: 'early-GHI.js',
  frames: { '': '<b>{{band}}frame', home: '<b>{{band}}home', campaigns: '<b>{{band}}campaigns' },
  band: '<i>sandbox</i>',
  files: {
    home: ['home-1.js'],
    campaigns: ['list-1.js'],
    'campaigns/*': ['list-1.js', 'one-1.js'],
  },
};

function world(t: Test, isBuilt = true, mode = 'sandbox') {
  const folder = mkdtempSync(join(tmpdir(), 'engage-dashboard-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  let nowMs = 10_000;
  const build = (page: string, at: number) => {
    mkdirSync(join(folder, 'a'), { recursive: true });
    const script = 'export const one = 1;'.repeat(50);
    writeFileSync(join(folder, 'a/main-ABC.js'), script);
    writeFileSync(join(folder, 'a/main-ABC.js.br'), brotliCompressSync(script));
    writeFileSync(join(folder, 'a/main-ABC.js.gz'), gzipSync(script));
    writeFileSync(join(folder, 'a/style-DEF.css'), 'p {}');
    writeFileSync(join(folder, 'sizes.json'), '{}');
    writeFileSync(join(folder, 'first.json'), JSON.stringify(drawn));
    writeFileSync(join(folder, 'index.html'), page);
    utimesSync(join(folder, 'index.html'), at, at);
  };
  if (isBuilt) build('<p>first', 1_000);
  const routes: string[] = [];
  const config = { mode, publicUrl: 'http://engage.example' };
  const edge = { clock: { monotonic: () => nowMs }, config } as never;
  const special = dashboardSpecial(
    edge,
    ({ route, status }) => routes.push(`${route} ${status}`),
    new Dashboard(folder),
  );
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    let answer: Answer | undefined;
    const request = { method, path, header: (name: string) => headers[name] ?? '' } as HttpRequest;
    const response = {
      send: (status: number, sent: HeaderList, body: string | Uint8Array) => {
        answer = { status, headers: Object.fromEntries(sent), body: Buffer.from(body as string) };
      },
    } as HttpResponder;
    const taken = special(request, response, 'req_1');
    return taken === undefined ? undefined : answer;
  };
  return { get, build, routes, wait: (ms: number) => (nowMs += ms) };
}

t.test('each address below it is the page, and is never cached', async (t) => {
  const { get, routes } = world(t);
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/app_1/people/sub_2']) {
    const answer = get(path);
    t.equal(answer?.status, 200, path);
    t.equal(answer?.body.toString(), '<p>first');
    t.equal(answer?.headers['cache-control'], 'no-store');
    t.equal(answer?.headers['content-type'], 'text/html; charset=utf-8');
  }
  t.equal(get('/dashboards'), undefined);
  t.equal(get('/dashboard/favicon.ico'), undefined, 'a file that is not there is no screen');
  t.equal(get('/dashboard', {}, 'POST'), undefined);
  t.ok(get('/dashboard', {}, 'HEAD'));
  t.strictSame([...new Set(routes)], ['/dashboard 200']);
});

t.test('the policy is exact', async (t) => {
  const { get } = world(t);
  const headers = get('/dashboard')?.headers ?? {};
  t.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types engage-worker",
  );
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  t.match(headers['permissions-policy'], /camera=\(\), microphone=\(\), geolocation=\(\)/);
});

t.test('files are cached for good, in the smallest form that is accepted', async (t) => {
  const { get, routes } = world(t);
  const path = '/dashboard/a/main-ABC.js';
  const plain = get(path);
  t.equal(plain?.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(plain?.headers['content-encoding'], undefined);
  const brotli = get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  t.equal(brotli?.headers['content-encoding'], 'br');
  t.same(brotliDecompressSync(brotli?.body ?? ''), plain?.body);
  const gzip = get(path, { 'accept-encoding': 'gzip, br;q=0' });
  t.equal(gzip?.headers['content-encoding'], 'gzip');
  t.same(gunzipSync(gzip?.body ?? ''), plain?.body);
  t.equal(plain?.headers['vary'], 'accept-encoding');
  t.equal(get('/dashboard/a/style-DEF.css')?.headers['content-type'], 'text/css; charset=utf-8');
  for (const none of ['main-OLD.js', '../index.html', 'main-ABC.js.br', ''])
    t.equal(get(`/dashboard/a/${none}`), undefined, none);
  t.strictSame([...new Set(routes)], ['/dashboard/a/* 200'], 'one name for all in the metrics');
});

t.test('a new build is served within a second, and a missing one says what to run', async (t) => {
  const { get, build, wait } = world(t, false);
  const missing = get('/dashboard');
  t.equal(missing?.status, 503);
  t.match(missing?.body.toString(), /npm run build/);
  build('<p>first', 1_000);
  wait(1_001);
  t.equal(get('/dashboard')?.body.toString(), '<p>first');
  build('<p>second', 2_000);
  t.equal(get('/dashboard')?.body.toString(), '<p>first');
  wait(1_001);
  t.equal(get('/dashboard')?.body.toString(), '<p>second');
});

t.test(
  'a browser with a session gets the frame of its screen, and the names of its files',
  async (t) => {
    const template = '<head>{{early}}{{preloads}}<body>{{frame}}';
    const cookie = { cookie: 'engage=some-token' };
    const links = (...names: string[]) =>
      names
        .map((name) => `<link rel="modulepreload" fetchpriority="low" href="/dashboard/a/${name}">`)
        .join('');
    const early = '<script async src="/dashboard/a/early-GHI.js"></script>';
    for (const mode of ['sandbox', 'live']) {
      const { get, build } = world(t, false, mode);
      build(template, 1_000);
      const band = mode === 'sandbox' ? drawn.band : '';
      const expected: Readonly<Record<string, readonly [string, string]>> = {
        '/dashboard': [links('home-1.js'), 'home'],
        '/dashboard/app_1': [links('home-1.js'), 'home'],
        '/dashboard/app_1/campaigns': [links('list-1.js'), 'campaigns'],
        '/dashboard/app_1/campaigns/new': [links('list-1.js'), 'campaigns'],
        '/dashboard/app_1/campaigns/cmp_1': [links('list-1.js', 'one-1.js'), 'campaigns'],
        '/dashboard/app_1/campaigns/cmp_2': [links('list-1.js', 'one-1.js'), 'campaigns'],
        '/dashboard/app_1/nothing': ['', 'frame'],
        '/dashboard/app_1/constructor/%22%3E': ['', 'frame'],
      };
      for (const [path, [files, frame]] of Object.entries(expected)) {
        const page = `<head>${early}${files}<body><b>${band}${frame}`;
        t.equal(get(path, cookie)?.body.toString(), page, `${mode} ${path}`);
        t.equal(get(path)?.body.toString(), '<head><body>', 'without a session: the scripts alone');
      }
    }
  },
);

t.test('the page is packed too, and never kept', async (t) => {
  const { get } = world(t);
  const brotli = get('/dashboard', { 'accept-encoding': 'gzip, br' });
  t.equal(brotliDecompressSync(brotli?.body ?? '').toString(), '<p>first');
  t.match(brotli?.headers, { 'content-encoding': 'br', 'cache-control': 'no-store' });
});
