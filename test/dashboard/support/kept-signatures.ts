// The files of what screens and messages looked like when a person last looked.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/places.ts';
import type { Signature } from './picture-signature.ts';

export const keptFile = 'test/fixtures/dashboard-pictures.json';

export function keptSignatures(file = keptFile): Readonly<Record<string, Signature>> {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function writeSignatures(drawn: Readonly<Record<string, Signature>>, file = keptFile): void {
  const sorted = Object.entries(drawn)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { size, colours, blocks }]) => [name, { size, colours, blocks }]);
  writeFileSync(join(root, file), `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}
