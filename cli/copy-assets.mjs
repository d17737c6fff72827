// Copies to dist what the compiler does not: pages, styles and plain JavaScript, and what makes the
// client for servers a package.

import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['engine', 'http', 'sandbox'];
const kinds = ['.mjs', '.html', '.css', '.js', '.svg'];

for (const folder of folders) copy(folder);
for (const name of ['package.json', 'README.md'])
  cpSync(join('sdk/node', name), join('dist/node-client', name));

function copy(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) copy(path);
    else if (kinds.some((kind) => name.endsWith(kind))) cpSync(path, join('dist', path));
  }
}
