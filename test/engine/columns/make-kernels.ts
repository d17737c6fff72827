// Compiles kernels.wat into kernels-wasm.ts: `npx tsx test/engine/columns/make-kernels.ts` after a
// change of the former.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';
import { fileAt } from '../../support/places.ts';

const folder = fileAt('engine/columns/');

/** The text that kernels-wasm.ts should have, of the kernels as they are written now. */
export async function kernelsText(): Promise<string> {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('kernels.wat', folder), 'utf8');
  const features = { simd: true, threads: true, bulk_memory: true };
  const { buffer } = parseWat('kernels.wat', source, features).toBinary({});
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,110}/g) as string[];
  return `// Made of kernels.wat by test/engine/columns/make-kernels.ts; not to be edited.

/** A WebAssembly module in base64. */
${'export'} const kernelsWasm = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('kernels-wasm.ts', folder), await kernelsText());
