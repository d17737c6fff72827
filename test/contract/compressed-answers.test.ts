// JSON answers are compressed for clients that ask: the same text, whatever its length, and small
// ones as they are.

import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { chapter } from './chapter.ts';

const { server, org, base, takes } = await chapter(t);

interface Answer {
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

/** Not by `fetch`, which decodes by itself. */
function get(path: string, acceptEncoding: string | undefined, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${server.url}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${org.key}`,
          ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            encoding: response.headers['content-encoding'],
            vary: response.headers.vary,
            length: response.headers['content-length'],
            bytes: Buffer.concat(pieces),
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

t.test('an answer is the same text, compressed or not', async (t) => {
  const people = Array.from({ length: 300 }, (_, i) => ({
    externalUserId: `person-${i}`,
    tags: { city: ['Hà Nội', 'Jakarta', 'Manila'][i % 3], note: 'x'.repeat(200) },
  }));
  await takes(t, 'POST /v1/import/subscribers', { appId: base.split('/')[3], rows: people }, 200);
  const sizes = [1, 30, 200];
  for (const limit of sizes) {
    const path = `${base}/subscribers?limit=${limit}`;
    const plain = await get(path, undefined);
    const zipped = await get(path, 'deflate, gzip;q=0.8, br');
    const isLong = plain.bytes.length > 2_100;
    t.equal(plain.encoding, undefined, `${limit} plain`);
    t.equal(
      zipped.encoding,
      isLong ? 'gzip' : undefined,
      `${limit} of ${plain.bytes.length} bytes`,
    );
    if (!isLong) continue;
    t.equal(zipped.vary, 'accept-encoding');
    t.equal(gunzipSync(zipped.bytes).toString(), plain.bytes.toString());
    t.ok(zipped.bytes.length < plain.bytes.length / 3, `${zipped.bytes.length} bytes`);
    const head = await get(path, 'gzip', 'HEAD');
    t.equal(head.bytes.length, 0);
    t.equal(head.encoding, 'gzip');
  }
});

t.test('a client that refuses gzip, or does not name it, gets the text', async (t) => {
  const path = `${base}/subscribers?limit=100`;
  for (const accepted of ['gzip;q=0', 'gzip; q=0.0, br', 'br', 'x-gzip-not', '*', 'identity'])
    t.equal((await get(path, accepted)).encoding, undefined, accepted);
  for (const accepted of ['gzip', 'br, GZIP', 'gzip; q=0.5', 'gzip;q=1.0, identity'])
    t.equal((await get(path, accepted)).encoding, 'gzip', accepted);
});
