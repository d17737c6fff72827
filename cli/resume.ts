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
  summary: 'Resume journeys and campaigns that a restore paused.',
  usage: 'engage resume [--list] [--campaigns] [--app <app id>]',
  help: [
    'After `engage restore --resend none|transactional`, people in journeys whose step was due',
    'before the restore wait, because the lost server may have processed them. Campaigns that may',
    'have started are paused with the reason `restored`. People due later continue as usual.',
    '',
    '  engage resume              resumes the waiting people in all journeys',
    '  engage resume --campaigns  also resumes the paused campaigns. People who got them between',
    '                             the backup and the loss get them twice',
    '  engage resume --list       only lists what is waiting',
    '  --app <app id>             only for this app',
    '',
    'To resume a single journey, set `active: true`; for a single campaign, call',
    '`POST /v1/campaigns/:id/resume`. The server must be running. A JSON summary goes to stdout.',
    'The exit code is 1 if something could not be resumed.',
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
  if (held.length === 0) process.stderr.write('Nothing is waiting since a restore.\n');
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
