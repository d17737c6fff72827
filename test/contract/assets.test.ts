// Pictures of messages over HTTP: what is one is known by its content, it has a public address for
// good, and it survives a kill and not its deletion.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { fileAt } from '../support/places.ts';
import { makeOrg } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, org, server, takes, refuses } = await chapter(t);
const assets = `${base}/assets`;
const png = readFileSync(fileAt('docs/inbox-light.png'));

interface Made {
  readonly id: string;
  readonly url: string;
}

const upload = async (bytes: Uint8Array | string, query = '', path = assets, key = org.key) => {
  const reply = await fetch(`${server.url}${path}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  return { status: reply.status, json: (await reply.json()) as Made };
};
const show = (url: string, init?: RequestInit) => fetch(server.url + new URL(url).pathname, init);
const gif = (width: number) => `GIF89a${String.fromCharCode(width)}\0\x02\0\0\0\0`;

t.test('a picture is stored once and shown to anyone', async (t) => {
  const made = await upload(png, '?name=inbox.png');
  t.equal(made.status, 201);
  const { url } = made.json;
  t.match(made.json, {
    id: /^ast_[0-9a-z]{26}$/,
    url: /\/a\/[0-9a-z]+-[\w-]{43}$/,
    name: 'inbox.png',
    type: 'image/png',
    bytes: png.length,
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    createdAt: /Z$/,
  });
  const again = await upload(png, '?name=other.png');
  t.equal(again.status, 200);
  t.same(again.json, made.json);
  await isShown(t, url);
  await isGoneOnceDeleted(t, assets, made.json);
});

t.test('a picture of more pixels than a reader can hold is refused', async (t) => {
  const sized = (width: number, height: number) => {
    const bytes = Buffer.from(png.subarray(0, 64));
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return upload(bytes);
  };
  for (const [width, height] of [
    [0xffff_ffff, 0xffff_ffff],
    [40_000_001, 1],
    [6_325, 6_325],
  ] as const)
    t.match(await sized(width, height), {
      status: 400,
      json: { field: 'body', error: /40 million/ },
    });
  const { status, json } = await sized(8_000, 5_000);
  t.equal(status, 201);
  await api.must(`DELETE ${assets}/${json.id}`);
});

t.test('a picture is there after a kill', async () => {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const path = `/v1/apps/${app}/assets`;
  const { json: made } = await upload(png, '', path);
  afterKill(server, 'a picture is shown until it is deleted', async (t) => {
    await isShown(t, made.url);
    await isGoneOnceDeleted(t, path, made);
  });
});

async function isShown(t: Test, url: string): Promise<void> {
  const shown = await show(url);
  t.equal(shown.status, 200);
  t.same(Buffer.from(await shown.arrayBuffer()), png);
  t.equal(shown.headers.get('content-type'), 'image/png');
  t.equal(shown.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  t.equal(shown.headers.get('x-content-type-options'), 'nosniff');
  t.equal(shown.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  const etag = shown.headers.get('etag') ?? '';
  t.equal(etag, `"${createHash('sha256').update(png).digest('base64url')}"`);
  t.equal((await show(url, { headers: { 'if-none-match': etag } })).status, 304);
  t.equal((await show(url, { method: 'HEAD' })).status, 200);
}

async function isGoneOnceDeleted(t: Test, path: string, { id, url }: Made): Promise<void> {
  await takes(t, `DELETE ${path}/${id}`, undefined, 204);
  t.equal((await show(url)).status, 404);
  await refuses(t, `DELETE ${path}/${id}`, undefined, { status: 404, error: 'asset not found' });
  t.same(await api.must(`GET ${path}`), { items: [], nextCursor: null, total: 0, bytes: 0 });
}

t.test('pictures are listed newest first, with how large all are', async (t) => {
  const ids: string[] = [];
  for (const width of [1, 2, 3]) ids.unshift((await upload(gif(width))).json.id);
  const first = await api.must(`GET ${assets}?limit=2`);
  t.same(
    first.items.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  );
  t.match(first, { total: 3, bytes: 39, items: [{ type: 'image/gif', width: 3, height: 2 }] });
  const rest = await api.must(`GET ${assets}?limit=2&cursor=${first.nextCursor}`);
  t.same([rest.items[0].id, rest.nextCursor], [ids[2], null]);
  const oldest = await api.must(`GET ${assets}?order=oldest`);
  t.same(
    oldest.items.map(({ id }: { id: string }) => id),
    [...ids].reverse(),
  );
  await refuses(t, `GET ${assets}?order=oldest&cursor=${first.nextCursor}`, undefined, {
    status: 400,
    field: 'cursor',
  });
});

t.test('what is no picture is refused, whatever it is called', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const bytes of [svg, '', 'GIF89a', '<html>', png.subarray(0, 20), gif(0)]) {
    const refused = await upload(bytes);
    t.match(refused, { status: 400, json: { field: 'body', error: /^body: expected the bytes/ } });
  }
  t.equal((await upload(Buffer.concat([png, Buffer.alloc(1_048_577)]))).status, 413);
  for (const token of ['x', '1-short', `0-${'A'.repeat(43)}`, `zzzzzzz-${'A'.repeat(43)}`])
    t.equal((await fetch(`${server.url}/a/${token}`)).status, 404, token);
});

t.test('two apps share nothing but the bytes', async (t) => {
  const other = await makeOrg(server, 'Other');
  const { id: app } = await other.client.must('POST /v1/apps', { name: 'Other' });
  const here = (await upload(gif(9))).json;
  const there = (await upload(gif(9), '', `/v1/apps/${app}/assets`, other.key)).json;
  t.not(here.url, there.url);
  await takes(t, `DELETE ${assets}/${here.id}`, undefined, 204);
  t.equal((await show(here.url)).status, 404);
  t.equal((await show(there.url)).status, 200);
  await refuses(t, `DELETE ${assets}/${there.id}`, undefined, { status: 404 });
  await other.client.must(`DELETE /v1/apps/${app}`);
  t.equal((await show(there.url)).status, 404, 'they go with their app');
});
