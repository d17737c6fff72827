// What a running server sends below `/dashboard`: the exact policy on every address of every
// screen, and its own files packed and cached for good.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';
import { sharedServer } from '../support/server.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types engage-worker";
const list = readFileSync(join(root, 'dashboard/screens/list.ts'), 'utf8');
const screens = [...list.matchAll(/^ {4}id: '([^']+)'/gm)].map(([, id]) => id as string);

t.test('every dashboard address has the exact policy, and nothing may keep it', async (t) => {
  const { url } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  t.ok(screens.length > 20, `${screens.length} screens`);
  const paths = screens.flatMap((id) => [`/app_1/${id}`, `/org/${id}`, `/app_1/${id}/x/y?tab=a`]);
  for (const path of ['', '/', '/nowhere', '/%3Cscript%3E', ...paths]) {
    const answer = await fetch(`${url}/dashboard${path}`);
    await answer.arrayBuffer();
    t.equal(answer.status, 200, path);
    t.equal(answer.headers.get('content-security-policy'), policy, path);
    t.equal(answer.headers.get('cache-control'), 'no-store', path);
    t.equal(answer.headers.get('access-control-allow-origin'), null, path);
    for (const [name, value] of [
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-resource-policy', 'same-origin'],
    ] as const)
      t.equal(answer.headers.get(name), value, `${path}: ${name}`);
  }
});

t.test('the drawn frame has no script or style of its own', async (t) => {
  const { url } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  for (const id of ['', ...screens]) {
    const answer = await fetch(`${url}/dashboard/app_1/${id}`, {
      headers: { cookie: 'engage=ended' },
    });
    const page = await answer.text();
    t.equal(answer.headers.get('content-security-policy'), policy, id);
    t.equal(answer.headers.get('cache-control'), 'no-store', id);
    t.match(page, /<div id="root"><div class="shell"/, id);
    t.notMatch(page, /<script(?![^>]* src=)|<style|\s(?:style|on\w+)=|\{\{/, id);
    for (const [path] of page.matchAll(/\/dashboard\/a\/[\w.-]+/g))
      t.equal((await fetch(`${url}${path}`, { method: 'HEAD' })).status, 200, path);
  }
});

t.test('each file of the page is packed and kept for good', async (t) => {
  const { url } = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const page = await (await fetch(`${url}/dashboard`)).text();
  const files = [...page.matchAll(/\/dashboard\/a\/[\w.-]+/g)].map(([path]) => path);
  t.ok(files.length >= 2, `${files.length} files`);
  for (const path of files) {
    const answer = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'br' } });
    await answer.arrayBuffer();
    // A font is packed by itself.
    const coding = path.endsWith('.woff2') ? null : 'br';
    t.equal(answer.headers.get('content-encoding'), coding, path);
    t.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
  }
});
