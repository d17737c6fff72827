// What `/sdk/v1/` serves to pages of any origin: scripts that are asked for each hour, or kept
// for good by who names their version.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { HeaderList, HttpRequest, HttpResponder } from '../../../http/server/exchange.ts';
import { webSdkSpecial } from '../../../http/web-sdk/serve.ts';

function world(t: Test, isBuilt = true) {
  const folder = mkdtempSync(join(tmpdir(), 'engage-web-sdk-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  let nowMs = 10_000;
  const build = (script: string, at: number) => {
    writeFileSync(join(folder, 'engage.js'), script);
    writeFileSync(join(folder, 'engage.js.gz'), gzipSync(script));
    writeFileSync(join(folder, 'built.json'), '{}');
    utimesSync(join(folder, 'built.json'), at, at);
  };
  if (isBuilt) build('export const one = 1;', 1_000);
  const routes: string[] = [];
  const edge = { clock: { monotonic: () => nowMs }, config: { mode: 'live' } } as never;
  const special = webSdkSpecial(
    edge,
    ({ route, status }) => routes.push(`${route} ${status}`),
    folder,
  );
  const get = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    let answer: { status: number; headers: Record<string, string>; body: Buffer } | undefined;
    const [path = '', query = ''] = target.split('?');
    const header = (name: string) => headers[name] ?? '';
    const request = { method, path, query, header } as HttpRequest;
    const response = {
      send: (status: number, sent: HeaderList, body: string | Uint8Array) => {
        answer = { status, headers: Object.fromEntries(sent), body: Buffer.from(body as string) };
      },
    } as HttpResponder;
    return special(request, response, 'req_1') === undefined ? undefined : answer;
  };
  return { get, build, routes, wait: (ms: number) => (nowMs += ms) };
}

t.test('pages of any origin load a script, and ask again within the hour', async (t) => {
  const { get, routes } = world(t);
  const answer = get('/sdk/v1/engage.js');
  t.match(answer?.headers, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    'content-type': 'text/javascript; charset=utf-8',
    etag: /^"[\w-]{12}"$/,
  });
  t.equal(answer?.body.toString(), 'export const one = 1;');
  const packed = get('/sdk/v1/engage.js', { 'accept-encoding': 'gzip' });
  t.equal(packed?.headers['content-encoding'], 'gzip');
  t.same(gunzipSync(packed?.body ?? ''), answer?.body);
  const again = get('/sdk/v1/engage.js', { 'if-none-match': answer?.headers['etag'] ?? '' });
  t.equal(again?.status, 304);
  t.equal(again?.body.length, 0);
  t.strictSame(routes, ['/sdk/v1/* 200', '/sdk/v1/* 200', '/sdk/v1/* 304']);
});

t.test('who names the version of a file keeps it for good; no other version is', async (t) => {
  const { get } = world(t);
  const version = get('/sdk/v1/engage.js')?.headers['etag']?.replaceAll('"', '');
  const named = get(`/sdk/v1/engage.js?v=${version}`);
  t.equal(named?.headers['cache-control'], 'public, max-age=31536000, immutable');
  const older = get('/sdk/v1/engage.js?v=other');
  t.equal(older?.headers['cache-control'], 'public, max-age=3600');
});

t.test('what is not there is not served', async (t) => {
  const { get } = world(t);
  for (const path of ['/sdk/v1/', '/sdk/v1/engage.js.gz', '/sdk/v1/../built.json', '/sdk/v2/a.js'])
    t.equal(get(path), undefined, path);
  t.equal(get('/sdk/v1/engage.js', {}, 'POST'), undefined);
});

t.test('a new build is served within a second, and a missing one says what to run', async (t) => {
  const { get, build, wait } = world(t, false);
  t.equal(get('/sdk/v1/engage.js')?.status, 503);
  t.match(get('/sdk/v1/engage.js')?.body.toString(), /npm run build/);
  build('export const one = 1;', 1_000);
  wait(1_001);
  t.equal(get('/sdk/v1/engage.js')?.status, 200);
  build('export const two = 2;', 2_000);
  wait(1_001);
  t.equal(get('/sdk/v1/engage.js')?.body.toString(), 'export const two = 2;');
});
