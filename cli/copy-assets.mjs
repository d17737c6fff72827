// Copies pages, styles and plain JavaScript to dist, which the compiler does not.

import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['engine', 'http', 'sandbox'];
const kinds = ['.mjs', '.html', '.css', '.js', '.svg'];

for (const folder of folders) copy(folder);

function copy(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) copy(path);
    else if (kinds.some((kind) => name.endsWith(kind))) cpSync(path, join('dist', path));
  }
}
