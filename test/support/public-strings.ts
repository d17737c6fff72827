// Every string that somebody outside the code reads: the API description, and the sentences in the
// sources (faults, the timeline, logs, the command line). Run it to print them with their places:
// `node --import tsx test/support/public-strings.ts [folder …]`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeApi } from '../../http/describe/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { root } from './places.ts';
import { filesBelow } from './source-graph.ts';

interface PublicString {
  /** `path:line`, or the place in the API description. */
  readonly place: string;
  /** The member of the API description that it is: `summary`. */
  readonly name?: string;
  readonly text: string;
}

const publicFolders = ['http', 'actors', 'engine', 'storage', 'cli', 'dashboard'] as const;

/** Literals of at least two words in the sources below these folders. */
export function sentencesBelow(folders: readonly string[] = publicFolders): PublicString[] {
  return folders
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(ts|mjs)$/.test(path))
    .flatMap((path) =>
      literalsOf(readFileSync(join(root, path), 'utf8'))
        .filter(({ text }) => /[a-z]{2}\W* \W*[a-zA-Z…]/.test(text))
        .map(({ line, text }) => ({ place: `${path}:${line}`, text })),
    );
}

/** Summaries, descriptions and titles of the API description, each text once. */
export function describedTexts(): PublicString[] {
  const texts = new Map<string, PublicString>();
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && /^(summary|description|title)$/.test(name)) {
        if (!texts.has(member)) texts.set(member, { place, name, text: member });
      } else if (!/^(example|examples|default|enum)$/.test(name)) visit(member, `${place}/${name}`);
    }
  };
  visit(describeApi(routes, 'http://127.0.0.1:8400'), '#');
  return [...texts.values()];
}

interface Literal {
  readonly line: number;
  readonly text: string;
}

/** String and template literals of a source; what a template inserts is shown as `…`. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  let line = 1;
  let previous = '';
  const skip = (to: number) => {
    for (; at < to; at++) if (source[at] === '\n') line++;
  };
  const past = (index: number, length: number) => (index < 0 ? source.length : index + length);

  function template(): string {
    let text = '';
    skip(at + 1);
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '\\') {
        text += source.slice(at, at + 2);
        skip(at + 2);
      } else if (source.startsWith('${', at)) {
        skip(at + 2);
        code('}');
        text += '…';
      } else {
        text += source[at];
        skip(at + 1);
      }
    }
    skip(at + 1);
    return text;
  }

  function quoted(quote: string): string {
    let end = at + 1;
    while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
    const text = source.slice(at + 1, end);
    skip(end + 1);
    return text.replaceAll(`\\${quote}`, quote);
  }

  /** Up to `until` at the depth of the beginning, or the end. */
  function code(until: string): void {
    let depth = 0;
    while (at < source.length) {
      const character = source[at] ?? '';
      const start = line;
      if (source.startsWith('//', at)) skip(past(source.indexOf('\n', at), 0));
      else if (source.startsWith('/*', at)) skip(past(source.indexOf('*/', at), 2));
      else if (character === "'" || character === '"') {
        found.push({ line: start, text: quoted(character) });
        previous = character;
      } else if (character === '`') {
        found.push({ line: start, text: template() });
        previous = character;
      } else if (character === '/' && beginsRegex(source.slice(Math.max(0, at - 20), at), previous))
        skip(regexEnd(source, at));
      else if (character === until && depth === 0) {
        skip(at + 1);
        return;
      } else {
        if (character === '{') depth++;
        if (character === '}') depth--;
        if (!/[ \t]/.test(character)) previous = character;
        skip(at + 1);
      }
    }
  }

  code('');
  return found;
}

/** Whether a slash after `before` begins a regular expression; else it divides. */
function beginsRegex(before: string, previous: string): boolean {
  return /[=([,:;!&|?{}>\n]|^$/.test(previous) || /\breturn\s*$/.test(before);
}

/** Past the regular expression that begins at `at`; past its slash where it is a division. */
function regexEnd(source: string, at: number): number {
  let inClass = false;
  let end = at + 1;
  for (; end < source.length; end++) {
    const character = source[end];
    if (character === '\\') end++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return end + 1;
    else if (character === '\n') return at + 1;
  }
  return end;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const strings = [
    ...(folders.length === 0 ? describedTexts() : []),
    ...sentencesBelow(folders.length === 0 ? publicFolders : folders),
  ];
  for (const { place, text } of strings) process.stdout.write(`${place}\t${text}\n`);
}
