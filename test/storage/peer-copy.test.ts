// A copy of a partition on its way to another server: whole and as it was, or nothing at all.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Log } from '../../engine/observe/log.ts';
import { Owners } from '../../http/peers/owners.ts';
import { createPeerPort } from '../../http/peers/peer-port.ts';
import { openPartition, partitionPath } from '../../storage/environment.ts';
import { filesBelow } from '../../storage/files.ts';
import { copyStream, partitionStream, receiveCopy } from '../../storage/peers/copy-stream.ts';
import { fetchPartitionCopy } from '../../storage/peers/fetch-copy.ts';
import { createPeerClient } from '../../storage/peers/peer-client.ts';
import { commitTurn } from '../conformance/store.ts';
import { tries } from '../support/tries.ts';
import { temporaryDirectory } from './support/directory.ts';
import { problemOf, turnOf } from './support/workload.ts';

const keys = [Buffer.alloc(32, 5)];

function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = temporaryDirectory();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const paths = await filesBelow(folder);
  return Object.fromEntries(
    paths.map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  );
}

async function bytesOf(folder: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of copyStream(folder)) parts.push(part);
  return Buffer.concat(parts);
}

/** In pieces that end anywhere. */
function streamOf(bytes: Buffer, step: number): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
  return Readable.from(pieces, { objectMode: false });
}

const files = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,4}\/[a-z.]{1,6}[a-z]$/),
  fc.uint8Array({ maxLength: 5_000 }),
  { maxKeys: 6 },
);

t.test('files arrive as they were, whatever the pieces', async (t) => {
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 999 }), async (all, step) => {
      const from = folderOf(all);
      const into = join(temporaryDirectory(), 'copy');
      await receiveCopy(streamOf(await bytesOf(from), step), into);
      t.strictSame(await contentOf(into), await contentOf(from));
    }),
    { numRuns: tries(60) },
  );
});

t.test('a stream that is cut or changed leaves nothing, and what was there stays', async (t) => {
  const whole = await bytesOf(folderOf({ 'a/b': Buffer.alloc(999, 1), c: Buffer.alloc(9, 2) }));
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 2 }), fc.boolean(), async (at, isCut) => {
      const bytes = Buffer.from(isCut ? whole.subarray(0, at) : whole);
      if (!isCut) bytes[at] = (bytes[at] as number) ^ 1;
      const place = temporaryDirectory();
      const into = join(place, 'copy');
      mkdirSync(into);
      writeFileSync(join(into, 'before'), 'x');
      await t.rejects(receiveCopy(streamOf(bytes, 64), into));
      t.strictSame(readdirSync(place), ['copy']);
      t.strictSame(readdirSync(into), ['before']);
    }),
    { numRuns: tries(200) },
  );
});

t.test('no file of a copy leaves its folder', async (t) => {
  for (const path of ['../a', '/tmp/a', 'a/../../b', './a', 'a//b', '']) {
    const line = `${JSON.stringify({ path, bytes: 1 })}\n`;
    const place = temporaryDirectory();
    const into = join(place, 'inner', 'copy');
    mkdirSync(dirname(into));
    await t.rejects(receiveCopy(streamOf(Buffer.from(`${line}x`), 9), into), path);
    t.strictSame(await filesBelow(place), []);
  }
});

/** A server whose copies are what `copy` gives. */
async function served(t: Test, copy: (partition: number) => Promise<AsyncIterable<Uint8Array>>) {
  const port = createPeerPort({
    ...{ keys, owners: new Owners([]), copy, served: () => undefined },
    log: { warn: () => {}, error: () => {} } as unknown as Log,
    askHere: () => t.fail('nobody asks'),
  });
  const number = await port.listen({ host: '127.0.0.1', port: 0 });
  const client = createPeerClient(keys);
  t.teardown(() => Promise.all([client.close(), port.close()]));
  return { client, address: `127.0.0.1:${number}` };
}

t.test('a server without files gets those of another that runs', async (t) => {
  const dataDir = temporaryDirectory();
  const open = (place: string) =>
    openPartition({ dataDir: place, partition: 3, partitions: 4, nowMs: 0, onFatal: t.fail });
  const store = open(dataDir);
  t.teardown(() => store.close());
  for (let seq = 1; seq <= 50; seq++) {
    const turn = turnOf(seq);
    await commitTurn(store, seq, turn.documents, turn.block);
  }
  const { client, address } = await served(t, async (partition) =>
    partitionStream(dataDir, partition),
  );
  const other = temporaryDirectory();
  mkdirSync(join(other, 'partitions'));
  t.equal(await fetchPartitionCopy(client, address, 3, partitionPath(other, 3)), true);
  const copy = open(other);
  t.equal(copy.durableSeq, 50);
  t.equal(problemOf(copy, 50), undefined);
  await copy.close();
  t.strictSame(readdirSync(dataDir).sort(), ['partitions'], 'nothing is left beside the files');
});

t.test('without a copy, or of a server that ends meanwhile, there is none', async (t) => {
  const into = join(temporaryDirectory(), 'copy');
  const none = await served(t, () => Promise.reject(new Error('none')));
  t.equal(await fetchPartitionCopy(none.client, none.address, 1, into), false);
  const nobody = createPeerClient(keys);
  t.teardown(() => nobody.close());
  t.equal(await fetchPartitionCopy(nobody, '127.0.0.1:1', 1, into), false);
  const half = await served(t, async () =>
    (async function* () {
      yield Buffer.from(`${JSON.stringify({ path: 'a', bytes: 9 })}\nhalf`);
      throw new Error('the disk is gone');
    })(),
  );
  await t.rejects(fetchPartitionCopy(half.client, half.address, 1, into));
  t.notOk(existsSync(into));
  t.notOk(existsSync(`${into}.part`));
});
