// `engage resume` resumes what a restore paused. It asks each app separately, so a repeated command
// continues where an interrupted one stopped.

import type { HeldApp } from '../actors/runtime/held.ts';
import { readConfig } from '../http/process/config.ts';
import { askServer, needData } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { progressOnStderr } from './progress.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'resume',
  summary: 'Let journeys and campaigns go on that a restore holds back.',
  usage: 'engage resume [--list] [--campaigns] [--app <app id>]',
  help: [
    'After `engage restore --resend none|transactional`, people of journeys who were due before',
    'the restore wait, because the lost server may have served them, and campaigns that may have',
    'begun are paused, reason `restored`. People who come due later are served as always.',
    '',
    '  engage resume              lets the waiting people of all journeys go on',
    '  engage resume --campaigns  resumes the paused campaigns as well: people who got them between',
    '                             the backup and the loss get them twice',
    '  engage resume --list       only prints what waits',
    '  --app <app id>             of one app',
    '',
    'An author does the same for one journey with `active: true`, and for one campaign with',
    '`POST /v1/campaigns/:id/resume`. The server must be running. A JSON summary goes to stdout;',
    'the exit code is 1 if something could not be resumed.',
  ].join('\n'),
  run: resume,
};

async function resume(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['app'], ['list', 'campaigns']);
  if (positionals.length > 0)
    throw new UsageError(`unexpected argument ${positionals[0]}; usage: ${command.usage}`);
  const { dataDir } = readConfig(process.env);
  needData(dataDir);
  const app = options.get('app');
  const isApp = (one: HeldApp) => app === undefined || one.id === app;
  const held = running(await askServer<'held'>(dataDir, { command: 'held' })).filter(isApp);
  for (const one of held) process.stderr.write(linesOf(one));
  if (held.length === 0) process.stderr.write('Nothing waits since a restore.\n');
  if (options.has('list') || held.length === 0) {
    process.stdout.write(`${JSON.stringify({ held: held.map(countsOf) })}\n`);
    return 0;
  }
  const progress = progressOnStderr();
  const request = {
    command: 'held.release',
    campaigns: options.has('campaigns'),
    ...(app === undefined ? {} : { app }),
  } as const;
  const done = running(
    await askServer<'held.release'>(dataDir, request, (text) => progress.show(text)),
  );
  progress.end();
  const { problems, ...counts } = done;
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${JSON.stringify({ ...counts, failed: problems.length })}\n`);
  return problems.length === 0 ? 0 : 1;
}

function countsOf({ id, journeys, campaigns }: HeldApp): object {
  return { appId: id, journeys: journeys.length, campaigns: campaigns.length };
}

function linesOf({ id, name, journeys, campaigns }: HeldApp): string {
  const rows = [
    ...journeys.map((one) => `  journey   ${one.id}  ${one.name}\n`),
    ...campaigns.map((one) => `  campaign  ${one.id}  ${one.name} (paused)\n`),
  ];
  return `${id}  ${name}\n${rows.join('')}`;
}

function running<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error('the server is not running; start it first.');
  return answer;
}
