// The file of what every screen looked like when a person last looked.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/places.ts';
import type { Signature } from './picture-signature.ts';

export const keptFile = 'test/fixtures/dashboard-pictures.json';

export function keptSignatures(): Readonly<Record<string, Signature>> {
  const path = join(root, keptFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function writeSignatures(drawn: Readonly<Record<string, Signature>>): void {
  const sorted = Object.entries(drawn)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { size, colours, blocks }]) => [name, { size, colours, blocks }]);
  writeFileSync(
    join(root, keptFile),
    `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`,
  );
}
