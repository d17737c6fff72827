// `engage promote <from> <to>`: makes an app have the content of another.

import { type Command, UsageError } from './command.ts';
import { environmentNamed } from './content/environments.ts';
import { readContent } from './content/files.ts';
import { kinds } from './content/kinds.ts';
import { PulledThings } from './content/pulled.ts';
import { readRemote } from './content/remote.ts';
import { ContentSchemas } from './content/schemas.ts';
import { showPush } from './content/show-push.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'promote',
  summary: 'Make an app have the content of another, such as production that of staging.',
  usage: 'engage promote <from> <to> [--folder <folder>] [--dry-run] [--yes] [--prune] [--force]',
  help: [
    'The same as a pull from one environment and a push to the other, without writing files. Both',
    'environments are in engage.json (engage pull --help); the options are those of engage push.',
  ].join('\n'),
  async run(words) {
    const switches = ['dry-run', 'yes', 'prune', 'force'];
    const { positionals, options } = parseWords(words, ['folder'], switches);
    const [from, to, more] = positionals;
    if (from === undefined || to === undefined || more !== undefined)
      throw new UsageError('expected two environments: engage promote <from> <to>');
    if (from === to) throw new UsageError('expected two different environments.');
    const place = options.get('folder') ?? '.';
    const [source, environment] = [environmentNamed(place, from), environmentNamed(place, to)];
    const schemas = await ContentSchemas.of(source.baseUrl);
    const local = readContent(place).contents;
    const remote = await readRemote(source, schemas, new PulledThings(place, source), local);
    const parts = {
      environment,
      schemas: await ContentSchemas.of(environment.baseUrl),
      pulled: new PulledThings(place, environment),
      files: new Map([...remote].map(([handle, { content }]) => [handle, content])),
      folders: new Set(kinds.map(({ folder }) => folder)),
      prune: options.has('prune'),
      force: options.has('force'),
    };
    return showPush(parts, { isDry: options.has('dry-run'), isAgreed: options.has('yes') });
  },
};
