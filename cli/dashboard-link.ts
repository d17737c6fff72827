// `engage dashboard-link` prints a link that signs a member in to the dashboard.

import { readConfig } from '../http/process/config.ts';
import { askServer, needData } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'dashboard-link',
  summary: 'Print a link that signs a member in to the dashboard.',
  usage: 'engage dashboard-link <email> [--org <org id>]',
  help: [
    'For servers without a mail relay. The link works once, for 15 minutes. A member can get 5 links',
    'per hour. Anyone who has the link can sign in as the member, so keep it safe.',
    '',
    '  --org <org id>   the org of a member of several orgs (default: the one they used last)',
    '',
    'The server must be running. The link goes to stdout.',
  ].join('\n'),
  run: dashboardLink,
};

async function dashboardLink(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['org'], []);
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) throw new UsageError(`usage: ${command.usage}`);
  const { dataDir } = readConfig(process.env);
  needData(dataDir);
  const org = options.get('org');
  const made = await askServer<'dashboard.link'>(dataDir, {
    command: 'dashboard.link',
    email,
    ...(org === undefined ? {} : { org }),
  });
  if (made === undefined) throw new Error('the server is not running; start it first.');
  process.stderr.write(`Signs in to ${made.orgName} as ${email}, once, until ${made.expiresAt}.\n`);
  process.stdout.write(`${made.url}\n`);
  return 0;
}
