// `engage pull <environment>`: the content of an app as files.

import { type Command, UsageError } from './command.ts';
import { environmentNamed } from './content/environments.ts';
import { readContent } from './content/files.ts';
import { pull } from './content/pull.ts';
import { PulledThings } from './content/pulled.ts';
import { ContentSchemas } from './content/schemas.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'pull',
  summary: 'Write the content of an app as files: templates, messages, segments and more.',
  usage: 'engage pull <environment> [--folder <folder>] [--force]',
  help: [
    'Writes one JSON file for each segment, topic, template, message, flag, in-app message, draft of',
    'a campaign and journey, and settings.json, without secrets. Files refer to each other by name.',
    'The file engage.json in the folder names environments:',
    '',
    '  {"staging": {"baseUrl": "https://engage.acme.example", "appId": "app_…",',
    '               "keyVariable": "ENGAGE_STAGING_KEY"}}',
    '',
    'keyVariable is the environment variable that holds an API key with the scope read; pushing',
    'needs write, and admin for settings. Commit the folder with its .engage: it has the schemas',
    'for editors, and what each environment was like, so that a push notices changes on the server.',
    '',
    '  --folder <folder>  where the files are (default: this folder)',
    '  --force            overwrite files that were changed here',
  ].join('\n'),
  async run(words) {
    const { positionals, options } = parseWords(words, ['folder'], ['force']);
    const [name, more] = positionals;
    if (name === undefined || more !== undefined)
      throw new UsageError('expected the name of an environment: engage pull <environment>');
    const place = options.get('folder') ?? '.';
    const environment = environmentNamed(place, name);
    const schemas = await ContentSchemas.of(environment.baseUrl);
    const pulled = new PulledThings(place, environment);
    const force = options.has('force');
    const files = readContent(place);
    const done = await pull(place, environment, schemas, pulled, files, force);
    for (const file of done.written) process.stdout.write(`wrote   ${file}\n`);
    for (const file of done.removed) process.stdout.write(`removed ${file}\n`);
    process.stdout.write(`${done.unchanged} unchanged\n`);
    return 0;
  },
};
