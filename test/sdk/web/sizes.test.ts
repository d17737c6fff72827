// What a page loads of the web SDK: the built files, packed with gzip.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../../support/places.ts';

/** In bytes. */
const gzipMax: Readonly<Record<string, number>> = {
  'engage.js': 8_200,
  'engage.iife.js': 8_300,
  'rare.js': 1_900,
  'feed.js': 500,
  'profile.js': 600,
  'inbox.js': 6_000,
  'inbox-calls.js': 2_100,
  'push.js': 1_200,
  'in-app.js': 4_000,
  'sw.js': 2_050,
};

t.test('each file is small', async (t) => {
  const sizes = JSON.parse(readFileSync(join(root, 'dist/web-sdk/built.json'), 'utf8')) as Readonly<
    Record<string, { readonly gzip: number }>
  >;
  t.strictSame(Object.keys(sizes).sort(), Object.keys(gzipMax).sort(), 'no other files');
  for (const [name, { gzip }] of Object.entries(sizes)) {
    const max = gzipMax[name] ?? 0;
    t.ok(gzip <= max, `${name}: ${gzip} of ${max}`);
  }
});
