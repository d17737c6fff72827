// `engage push <environment>`: makes an app have the content of the files.

import { type Command, UsageError } from './command.ts';
import { problemText } from './content/check-files.ts';
import { environmentNamed } from './content/environments.ts';
import { readContent } from './content/files.ts';
import { PulledThings } from './content/pulled.ts';
import { ContentSchemas } from './content/schemas.ts';
import { showPush } from './content/show-push.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'push',
  summary: 'Make an app have the content of the files that `engage pull` wrote.',
  usage: 'engage push <environment> [--folder <folder>] [--dry-run] [--yes] [--prune] [--force]',
  help: [
    'Shows what it would create and change, asks, and does it. Wrong files are all named first, each',
    'with its field, and nothing is changed then. It is refused if the server was changed since the',
    'last pull. A push that was stopped is made again by the same command.',
    '',
    'Campaigns are pushed as drafts and journeys inactive: nothing is sent by a push. A journey that',
    'is live keeps its state.',
    '',
    '  --folder <folder>  where the files are (default: this folder)',
    '  --dry-run          show the plan only',
    '  --yes              do not ask',
    '  --prune            delete what has no file, of the kinds whose folder is there',
    '  --force            push although the server was changed since the last pull',
  ].join('\n'),
  async run(words) {
    const switches = ['dry-run', 'yes', 'prune', 'force'];
    const { positionals, options } = parseWords(words, ['folder'], switches);
    const [name, more] = positionals;
    if (name === undefined || more !== undefined)
      throw new UsageError('expected the name of an environment: engage push <environment>');
    const place = options.get('folder') ?? '.';
    const environment = environmentNamed(place, name);
    const { contents, folders, problems } = readContent(place);
    if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
    const parts = {
      environment,
      schemas: await ContentSchemas.of(environment.baseUrl),
      pulled: new PulledThings(place, environment),
      files: contents,
      folders,
      prune: options.has('prune'),
      force: options.has('force'),
    };
    return showPush(parts, { isDry: options.has('dry-run'), isAgreed: options.has('yes') });
  },
};
