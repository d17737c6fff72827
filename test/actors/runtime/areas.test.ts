// The list of areas is closed: the compiler says so when an area is left out, when two areas claim
// one message or entry, and when a message, an entry or a member of memory has no area.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../../support/places.ts';
import { readSources } from '../../support/source-graph.ts';

const runtime = join(root, 'actors/runtime');
const list = readFileSync(join(runtime, 'areas.ts'), 'utf8');
const protocols = readFileSync(join(runtime, 'protocols.ts'), 'utf8');
const names = [...list.matchAll(/^ {2}(\w+Area),$/gm)].map(([, name = '']) => name);

/** The list with a change, importing what the real one imports. */
function variant(change: (text: string) => string): string {
  const changed = change(list);
  if (changed === list) throw new Error('the change changes nothing');
  return changed
    .replace(/from '\.\//g, `from '${runtime}/`)
    .replace(/from '\.\.\//g, `from '${join(root, 'actors')}/`);
}

const without = (name: string) => (text: string) => text.replace(`  ${name},\n`, '');
const inProtocol = (members: string) => (text: string) =>
  text.replaceAll('keyof AnyProtocol', `(keyof AnyProtocol | ${members})`);

const variants: ReadonlyMap<string, string> = new Map([
  ...names.map((name) => [`without-${name}`, variant(without(name))] as const),
  ['twice', variant((text) => text.replace('  flagsArea,\n', '  flagsArea,\n  flagsArea,\n'))],
  ['homeless-message', variant(inProtocol("'homeless.message'"))],
  [
    'homeless-entry',
    variant((text) => text.replaceAll("AnyEntry['kind']", "(AnyEntry['kind'] | 'homeless.entry')")),
  ],
  [
    'homeless-member',
    variant((text) => text.replaceAll('keyof OrgState', "(keyof OrgState | 'homeless')")),
  ],
  ['as-it-is', variant((text) => `${text}\n// Unchanged.\n`)],
]);

t.test('the compiler refuses every list of areas that is not closed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'engage-areas-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of variants) writeFileSync(join(folder, `${name}.ts`), text);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      rewriteRelativeImportExtensions: false,
      noUnusedLocals: false, // an import that is no longer used is not what this is about
      typeRoots: [join(root, 'node_modules/@types')],
      rootDir: '/',
    },
    include: [join(folder, '*.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // Without the environment, as the test runner's own options are not the compiler's.
  const { stdout } = spawnSync('env', ['-i', process.execPath, tsc, '-p', folder], {
    encoding: 'utf8',
  });
  t.notMatch(stdout, /as-it-is\.ts/, 'the list compiles as it is');
  const elsewhere = stdout.split('\n').filter((line) => /error TS/.test(line));
  for (const name of variants.keys()) {
    if (name === 'as-it-is') continue;
    const refused = elsewhere.some((line) => line.includes(`${name}.ts`));
    t.ok(refused, `${name} does not compile`);
  }
  t.match(stdout, /'?"homeless\.message"/, 'it names the message');
});

t.test(
  'every area of the sources is in the list, and every protocol among the messages',
  async (t) => {
    const declared = [...readSources(['actors']).values()].map(({ text }) => {
      return {
        areas: [...text.matchAll(/^export const (\w+Area) = \{/gm)].map(([, name]) => name),
        protocols: [...text.matchAll(/^export interface (\w+(?:Protocol|Inside)) \{/gm)].map(
          ([, name = '']) => name,
        ),
        extended: [...text.matchAll(/^export interface \w+ extends (\w+Protocol) \{/gm)].map(
          ([, name = '']) => name,
        ),
      };
    });
    t.strictSame(declared.flatMap(({ areas }) => areas).toSorted(), names.toSorted());
    const parts = new Set(declared.flatMap(({ extended }) => extended));
    for (const name of declared.flatMap(({ protocols: some }) => some))
      if (!parts.has(name)) t.ok(protocols.includes(name), `${name} is among the messages`);
  },
);
