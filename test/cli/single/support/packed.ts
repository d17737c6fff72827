// A program of three files to unpack.

import { createHash } from 'node:crypto';
import type { Packed } from '../../../../cli/single/unpack.ts';

const contents: Readonly<Record<string, string>> = {
  'begin.cjs': 'begin',
  'dist/cli/main.js': 'main',
  'node_modules/native/part.node': 'x'.repeat(200_000),
};

/** `version` goes into its name. */
export function packedProgram(version = '1.0.0'): Packed {
  const files = Object.entries(contents).map(([path, text]) => ({
    path,
    bytes: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  return {
    name: `engage-${version}-0123456789ab`,
    files,
    content: () => Buffer.from(Object.values(contents).join('')),
  };
}
