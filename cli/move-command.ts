// `engage import-<service> <appId> <file…>`: people, opt-outs and topics of another service, over
// the public API. Reads arguments; import/run-move.ts imports.

import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { version } from '../http/version.ts';
import { type Command, UsageError } from './command.ts';
import { encodingOf } from './import/export-encoding.ts';
import { ImportClient } from './import/import-client.ts';
import type { Service } from './import/origin.ts';
import { isClean, serviceSummaryText } from './import/origin-summary.ts';
import { readTopicMap, type TopicMode } from './import/origin-topics.ts';
import { runServiceImport } from './import/run-move.ts';
import { progressOnStderr } from './progress.ts';
import { apiKey, serverUrl } from './server-access.ts';
import { choice, parseWords } from './words.ts';

const valued = [
  'url',
  'key',
  'state',
  'errors',
  'encoding',
  'consent',
  'topics',
  'tag-prefix',
  'id-column',
  'optouts',
];
const switches = ['dry-run', 'suppressed', 'assume-subscribed'];

export function serviceCommand(service: Service): Command {
  const name = `import-${service.id}`;
  const usage = `engage ${name} <appId> <file…> [--dry-run] [--topics create|ignore|<map file>] [--consent confirmed|doubleOptIn] [--optouts as-exported|all] [--suppressed] [--assume-subscribed] [--id-column <name>] [--tag-prefix <text>] [--encoding <name>] [--url <url>] [--key <key>] [--state <file>] [--errors <file>]`;
  return {
    name,
    summary: `Import people, opt-outs and topics from ${service.title} into an app.`,
    usage,
    help: helpOf(service),
    run: (words) => importService(service, words),
  };
}

function helpOf({ title, exports }: Service): string {
  return [
    `What to export from ${title}: ${exports}.`,
    'Name all its files in one call; gzip is detected.',
    '',
    'Opt-outs, hard bounces and complaints are stored before the first person: an import that is',
    'stopped or killed leaves nobody reachable who opted out. Run the same command again to resume.',
    'Running it twice changes nothing more, and never removes an opt-out.',
    '',
    '  --dry-run            say what would happen, and change nothing',
    '  --topics <how>       create: make a topic for each list or group (default); ignore: leave',
    '                       them out; or a JSON file {"name in the export": "key of a topic"}',
    '  --consent <how>      confirmed: addresses are sent to at once (default); doubleOptIn: email',
    '                       addresses get one mail that asks, and nothing else until they confirm;',
    '                       other addresses stay off',
    '  --optouts <how>      as-exported: who unsubscribed gets no campaigns and journeys, and still',
    '                       gets receipts (default); all: nothing at all. Bounces, complaints and',
    '                       block lists always get nothing',
    '  --suppressed         the files list addresses that must not be sent to, and no people',
    '  --assume-subscribed  import a file that does not say who opted out',
    '  --id-column <name>   the column with your own user ids, if it has another name',
    '  --tag-prefix <text>  put before the names of tags',
    '  --encoding <name>    of files that are neither UTF-8 nor UTF-16, such as windows-1258',
    '  --url <url>          URL of the server (default: ENGAGE_URL, else this machine)',
    '  --key <key>          API key with scope write (default: ENGAGE_API_KEY, else ENGAGE_KEY)',
    '  --state <file>       progress file; deleted when the import is done',
    '  --errors <file>      write each line that was not imported, with the reason, as JSON Lines',
    '',
    'Progress goes to stderr, a JSON summary to stdout. The exit code is 0 only if every line,',
    'opt-out and person was imported.',
  ].join('\n');
}

async function importService(service: Service, words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, valued, switches);
  const [appId, ...paths] = positionals;
  const [first] = paths;
  if (appId === undefined || first === undefined)
    throw new UsageError(
      `expected an app id and files: engage import-${service.id} <appId> <file…>`,
    );
  for (const path of paths) checkFile(path);
  const map = {
    title: service.title,
    consent: choice(options, 'consent', ['confirmed', 'doubleOptIn'] as const),
    optOuts: choice(options, 'optouts', ['as-exported', 'all'] as const),
    tagPrefix: options.get('tag-prefix') ?? '',
    ...given('idColumn', options.get('id-column')?.trim().toLowerCase()),
  };
  const encoding = options.get('encoding');
  const file = {
    ...given('encoding', encoding === undefined ? undefined : encodingOf(encoding)),
    isSuppressed: options.has('suppressed'),
    mayAssume: options.has('assume-subscribed'),
  };
  const topics = topicMode(options.get('topics'));
  const url = serverUrl(options.get('url'));
  const key = apiKey(options.get('key'));
  const told = { map, file, topics: { ...topics, keys: undefined }, keys: mapOf(topics) };
  const stateName = `${basename(first)}.${appId}.${service.id}-state.json`;
  const errors = options.get('errors');

  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const progress = progressOnStderr();
  try {
    const client = new ImportClient({ url, key, appId }, stop.signal);
    await client.checkApp();
    const summary = await runServiceImport({
      service,
      paths,
      file,
      map,
      topics,
      identity: { service: service.id, url, appId, options: JSON.stringify(told), version },
      statePath: resolve(options.get('state') ?? join(dirname(first), stateName)),
      ...given('errorsPath', errors === undefined ? undefined : resolve(errors)),
      isDry: options.has('dry-run'),
      client,
      signal: stop.signal,
      onStep: (text) => progress.show(text),
    });
    progress.end();
    process.stderr.write(`${serviceSummaryText(summary).join('\n')}\n`);
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    if (!summary.complete)
      throw new Error('stopped before the end; run the same command to continue.');
    return isClean(summary) ? 0 : 1;
  } catch (error) {
    progress.end();
    if (stop.signal.aborted && error instanceof Error && error.name === 'AbortError')
      throw new Error('stopped before the end; run the same command to continue.');
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

function checkFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`the file ${path} does not exist.`);
  // It is read three times.
  if (!stat.isFile()) throw new Error(`${path} is not a file.`);
}

function topicMode(text: string | undefined): TopicMode {
  if (text === undefined || text === 'create') return { kind: 'create' };
  return text === 'ignore' ? { kind: 'ignore' } : readTopicMap(text);
}

function mapOf(topics: TopicMode): readonly (readonly [string, string | null])[] {
  return topics.kind === 'map' ? [...topics.keys] : [];
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}
