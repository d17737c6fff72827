// The code of a document, in files of a temporary folder, so that a test runs what readers copy.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { root } from './places.ts';

/** The blocks of a language in a document, as they stand. */
export function codeBlocks(document: string, language: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, code = '']) => code);
}

/** Writes the JavaScript that names its file first (`// receiver.mjs`); returns the folder. */
export function documentedScripts(t: Test, document: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'engage-documented-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const code of codeBlocks(document, 'js')) {
    const name = /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1];
    if (name !== undefined) writeFileSync(join(folder, name), code);
  }
  return folder;
}
