// How long functions are, by Biome's parser: from the line of a function's head to its closing
// brace, comments and blank lines included.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './places.ts';

interface LongFunction {
  readonly path: string;
  readonly line: number;
  /** The name, or the start of the line that opens it where it has none. */
  readonly name: string;
  readonly lines: number;
}

interface Report {
  readonly diagnostics: readonly {
    readonly location: {
      readonly path: string;
      readonly start: { readonly line: number };
      readonly end: { readonly line: number };
    };
  }[];
}

const rule = 'complexity/noExcessiveLinesPerFunction';

/**
 * Functions of more than `most` lines below these folders. `lineOf` gives a line of a file. Biome
 * reports those with more than five lines of statements (`biome.json`), which all longer ones have.
 */
export function longFunctions(
  folders: readonly string[],
  most: number,
  lineOf: (path: string, line: number) => string,
): LongFunction[] {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const flags = [`--only=${rule}`, '--max-diagnostics=none', '--reporter=json'];
  const output = execFileSync(process.execPath, [biome, 'lint', ...flags, ...folders], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'ignore'], // it warns that its report may change
  });
  return (JSON.parse(output) as Report).diagnostics
    .map(({ location: { path, start, end } }) => ({
      path,
      line: start.line,
      name: nameOf(lineOf(path, start.line)),
      lines: end.line - start.line + 1,
    }))
    .filter(({ lines }) => lines > most);
}

function nameOf(head: string): string {
  const line = head.trim();
  const named =
    /(?:function\*?|const|let) ([\w$]+)/.exec(line) ?? /^(?:[a-z]+ )*\*?([#\w]+)[<(]/.exec(line);
  const test = /\btest\(\s*(['"`].*?['"`])/.exec(line)?.[1];
  return test ?? named?.[1] ?? line.slice(0, 50);
}
