// The version of this program, from its package.json, beside the sources or beside a build.

import { readFileSync } from 'node:fs';

interface Package {
  readonly name?: string;
  readonly version?: string;
}

export const version = readVersion();

function readVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(
        readFileSync(new URL(place, import.meta.url), 'utf8'),
      ) as Package;
      if (name === 'engage' && found !== undefined) return found;
    } catch {
      // A build is one folder deeper.
    }
  }
  return 'unknown';
}
