// The files below a folder, by their paths in it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export function filesIn(folder: string, below = ''): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? filesIn(folder, path) : [path];
    })
    .sort();
}
