// Time and memory to read, map and merge a legacy endpoint export, against a server that accepts
// everything: the rest of two minutes per million lines is the server's. Use a quiet machine.
// Run: node --import=tsx bench/import-endpoints.ts [lines = 100000]

import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { readEndpoint } from '../cli/import/endpoint-line.ts';
import { exportLines } from '../cli/import/export-lines.ts';
import { runImport } from '../cli/import/run-import.ts';
import { exportOf } from '../sandbox/endpoint-export.ts';

const wanted = Number(process.argv[2] ?? 100_000);
const directory = mkdtempSync(join(tmpdir(), 'engage-bench-'));
const file = join(directory, 'export.jsonl.gz');
const memoryEveryMs = 20;

function* firstLines(count: number): Generator<string> {
  let left = count;
  for (const line of exportOf(count)) {
    if (left-- === 0) return;
    yield `${line}\n`;
  }
}

function opened(): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: 64 * 1024 });
}

async function timed(what: string, run: () => Promise<number>): Promise<void> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, memoryEveryMs);
  const began = performance.now();
  const lines = await run();
  const ms = performance.now() - began;
  clearInterval(watch);
  const rate = `${Math.round((lines / ms) * 1000).toLocaleString('en-US')} lines/s`;
  console.log(
    `${what.padEnd(28)} ${(ms / 1000).toFixed(2)} s  ${rate.padStart(18)}  ${((ms * 1000) / lines).toFixed(1)} µs a line, at most ${Math.round(peak / 1e6)} MB`,
  );
}

try {
  await pipeline(
    Readable.from(firstLines(wanted)),
    createGzip({ level: 6 }),
    createWriteStream(file),
  );
  console.log(
    `${wanted.toLocaleString('en-US')} lines, ${(statSync(file).size / 1e6).toFixed(1)} MB of gzip`,
  );
  await timed('unpack and cut', async () => {
    let lines = 0;
    for await (const part of exportLines(opened(), { bytes: 0 })) lines += part.length;
    return lines;
  });
  await timed('and map', async () => {
    let lines = 0;
    for await (const part of exportLines(opened(), { bytes: 0 })) {
      for (const line of part) if ('text' in line) readEndpoint(line.text);
      lines += part.length;
    }
    return lines;
  });
  let bytes = 0;
  let requests = 0;
  await timed('all but the server', async () => {
    const summary = await runImport({
      source: opened(),
      identity: { url: '', appId: 'app', includeOptOut: false, version: 'bench' },
      statePath: join(directory, 'state.json'),
      signal: new AbortController().signal,
      client: {
        retries: 0,
        send: async (body, rows) => {
          bytes += body.length;
          requests++;
          return { created: rows, updated: 0, failed: 0, errors: [] };
        },
      },
    });
    return summary.lines;
  });
  console.log(`${requests} requests of ${Math.round(bytes / requests / 1000)} kB`);
} finally {
  rmSync(directory, { recursive: true });
}
