// The dashboard as `dashboard/build.mjs` wrote it, in memory: the page, and files that are cached
// for good because their names have a hash of their content.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuiltFile } from './built-file.ts';
import { type FirstPaints, nothingDrawn, Pages } from './pages.ts';

interface BuiltDashboard {
  readonly pages: Pages;
  /** By name. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Reads the folder when it is asked for, and again after a new build. */
export class Dashboard {
  readonly #folder: string;
  #builtMs = 0;
  #built: BuiltDashboard | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(folder = builtFolder()) {
    this.#folder = folder;
  }

  /** `undefined` if it was never built. Looks for a new build once a second at most. */
  at(nowMs: number): BuiltDashboard | undefined {
    if (nowMs - this.#lookedMs < 1_000) return this.#built;
    this.#lookedMs = nowMs;
    const builtMs = statSync(join(this.#folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (builtMs === undefined || builtMs === this.#builtMs) return this.#built;
    this.#builtMs = builtMs;
    this.#built = read(this.#folder);
    return this.#built;
  }
}

/** Compiled code has it beside its own folder; sources run from the root. */
function builtFolder(): string {
  const here = fileURLToPath(new URL('../../', import.meta.url));
  return here.endsWith('/dist/')
    ? join(here, 'dashboard-files')
    : join(here, 'dist/dashboard-files');
}

function read(folder: string): BuiltDashboard {
  const names = readdirSync(join(folder, 'a'));
  const files = names
    .filter((name) => types[endOf(name)] !== undefined)
    .map((name): readonly [string, BuiltFile] => {
      const bytes = (end: string) => readFileSync(join(folder, 'a', name + end));
      const packed = codings
        .filter(([, end]) => names.includes(name + end))
        .map(([coding, end]) => [coding, bytes(end)] as const);
      return [
        name,
        { type: types[endOf(name)] as string, plain: bytes(''), packed: new Map(packed) },
      ];
    });
  const drawnAt = join(folder, 'first.json');
  const drawn = existsSync(drawnAt) ? JSON.parse(readFileSync(drawnAt, 'utf8')) : nothingDrawn;
  const pages = new Pages(readFileSync(join(folder, 'index.html'), 'utf8'), drawn as FirstPaints);
  return { pages, files: new Map(files) };
}

function endOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
