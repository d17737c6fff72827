// `engage import-endpoints <appId> <file>`: imports a legacy endpoint export over the public API,
// so from any machine. Reads arguments; import/run-import.ts imports.

import { createReadStream, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { version } from '../http/version.ts';
import { type Command, UsageError } from './command.ts';
import { encodingOf } from './import/export-encoding.ts';
import { ImportClient } from './import/import-client.ts';
import { type ImportStep, progressText } from './import/progress-text.ts';
import { runImport } from './import/run-import.ts';
import { summaryText } from './import/summary.ts';
import { progressOnStderr } from './progress.ts';
import { apiKey, serverUrl } from './server-access.ts';
import { choice, parseWords } from './words.ts';

/** Between updates of a terminal line. */
const showEveryMs = 100;
/** Replaces a lone `-`, a file here but otherwise an option without a name. */
const stdinWord = '\0stdin';

export const command: Command = {
  name: 'import-endpoints',
  summary: 'Import a legacy endpoint export (JSON Lines, optionally gzipped) into an app.',
  usage:
    'engage import-endpoints <appId> <file> [--include-optout] [--encoding <name>] [--consent confirmed|doubleOptIn] [--url <url>] [--key <key>] [--state <file>] [--errors <file>]',
  help: [
    'Reads one endpoint per line from <file>, or from stdin with `-`. Gzip is detected, even',
    'with several members in one file. All endpoints with the same User.UserId become one',
    'subscriber with several devices; GCM becomes fcm, APNS* apns, EMAIL email, SMS and VOICE',
    'sms. Attributes and UserAttributes become tags. If the lines of a person differ, the newest',
    'EffectiveDate wins. Other channels are skipped and counted. A person whose address is',
    'missing or invalid is imported without that device, which is counted too.',
    '',
    '  --include-optout   import endpoints with OptOut set as devices (default: import only',
    '                     their people, without those devices)',
    '  --encoding <name>  encoding of the file, such as windows-1252 or windows-874 (default: UTF-8',
    '                     and UTF-16, anything else is refused). With utf-8, lines that are not',
    '                     UTF-8 are skipped and counted',
    '  --consent <how>    confirmed: addresses are sent to at once (default); doubleOptIn: email',
    '                     addresses get one mail that asks, and nothing else until they confirm',
    '  --url <url>        URL of the server (default: ENGAGE_URL, else this machine and',
    '                     ENGAGE_PORT)',
    '  --key <key>        API key with scope write (default: ENGAGE_API_KEY, else ENGAGE_KEY;',
    '                     prefer these, other users can see command-line options)',
    '  --state <file>     progress file (default: <file>.<appId>.import-state.json); deleted',
    '                     when the import is done',
    '  --errors <file>    write each line that was not imported or whose device was not, with the',
    '                     reason, as JSON Lines',
    '',
    'If the import is stopped or killed, run the same command again: it continues after the',
    'last rows the server confirmed. Running it twice changes nothing, except that endpoints',
    'without a UserId cannot be recognized and are imported again. Until the import ends, the',
    'directory of the progress file needs free space of about the size of the decompressed',
    'export.',
    '',
    'Progress goes to stderr, a JSON summary to stdout. The exit code is 0 only if no',
    'subscriber failed; skipped lines are not failures.',
  ].join('\n'),
  run: importEndpoints,
};

async function importEndpoints(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(
    words.map((word) => (word === '-' ? stdinWord : word)),
    ['url', 'key', 'state', 'errors', 'encoding', 'consent'],
    ['include-optout'],
  );
  const [appId, file, more] = positionals;
  if (appId === undefined || file === undefined || more !== undefined)
    throw new UsageError('expected an app id and a file: engage import-endpoints <appId> <file>');
  const isStdin = file === stdinWord;
  const named = options.get('encoding');
  const encoding = named === undefined ? undefined : encodingOf(named);
  const consent = choice(options, 'consent', ['confirmed', 'doubleOptIn']);
  const url = serverUrl(options.get('url'));
  const key = apiKey(options.get('key'));
  const sourceBytes = isStdin ? undefined : sizeOf(file);
  const statePath = resolve(
    options.get('state') ??
      (isStdin
        ? `stdin.${appId}.import-state.json`
        : join(dirname(file), `${basename(file)}.${appId}.import-state.json`)),
  );
  const errorsPath = options.get('errors');
  // Nearly all allocations are garbage at once. V8 would let the old generation double before
  // collecting; a fifth costs some time and saves a third of a large import's memory.
  setFlagsFromString('--heap-growing-percent=20');

  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const progress = progressOnStderr();
  try {
    const client = new ImportClient({ url, key, appId }, stop.signal);
    await client.checkApp();
    const summary = await runImport({
      source: isStdin ? process.stdin : createReadStream(file, { highWaterMark: 64 * 1024 }),
      ...(sourceBytes === undefined ? {} : { sourceBytes }),
      identity: {
        url,
        appId,
        includeOptOut: options.has('include-optout'),
        ...(encoding === undefined ? {} : { encoding }),
        ...(consent === 'confirmed' ? {} : { consent }),
        version,
      },
      statePath,
      ...(errorsPath === undefined ? {} : { errorsPath: resolve(errorsPath) }),
      client,
      signal: stop.signal,
      onStep: throttled((step) => progress.show(progressText(step, process.stderr.isTTY))),
    });
    progress.end();
    process.stderr.write(`${summaryText(summary).join('\n')}\n`);
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    if (!summary.complete)
      throw new Error('stopped before the end; run the same command to continue.');
    return summary.subscribers.failed === 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    if (stop.signal.aborted && error instanceof Error && error.name === 'AbortError')
      throw new Error('stopped before anything was sent.');
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

function sizeOf(file: string): number | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`the file ${file} does not exist.`);
  if (stat.isDirectory())
    throw new Error(
      `${file} is a directory; concatenate its files: cat ${file}/*.gz | engage import-endpoints <appId> -`,
    );
  return stat.isFile() ? stat.size : undefined;
}

/** At most ten calls a second; more only costs. */
function throttled(show: (step: ImportStep) => void): (step: ImportStep) => void {
  let shownMs = Number.NEGATIVE_INFINITY;
  return (step) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < showEveryMs) return;
    shownMs = nowMs;
    show(step);
  };
}
