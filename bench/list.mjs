// `npm run bench`: lists every bench with its purpose and command, from the heads of the files. It
// runs none: benches need the machine to themselves, and npm would hold their output open.

import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
for (const name of readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .sort()) {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  const text = head.map((line) => line.slice(3).trim()).join(' ');
  const about = /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
  const run = /(?:Run:|`(?=npx tsx bench)) ?([^`]*)/.exec(text)?.[1] ?? `npx tsx bench/${name}`;
  console.log(`${name.replace('.ts', '')}\n  ${about}\n  ${run}\n`);
}
console.log('What the figures mean, and the last ones measured: bench/README.md');
