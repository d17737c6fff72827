// `engage check`: reads all data and compares what must agree, in a child of the running server, or
// here under the lock. Never changes anything.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PartitionReport } from '../actors/runtime/check/protocol.ts';
import { runCheck } from '../actors/runtime/check/run.ts';
import { readConfig } from '../http/process/config.ts';
import { partitionsIn } from '../storage/backup.ts';
import { damageOf, readManifest } from '../storage/backup-manifest.ts';
import { askServer, needData, withLock } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';
import { bytesText, type CommandProgress, progressOnStderr } from './progress.ts';
import { parseWords } from './words.ts';

const problemsShown = 20;

export const command: Command = {
  name: 'check',
  summary: 'Read all data back and compare every index with its records.',
  usage: 'engage check [<dir>] [--json] [--repair never]',
  help: [
    'Checks ENGAGE_DATA_DIR, or <dir>: another data directory, or a backup. Verifies the',
    'checksum of every log block, document, checkpoint and history file; that the log has no',
    'gap; that memory rebuilds to the same state from every starting point; and that indexes',
    'and records agree: endpoints and people (both ways), opt-outs, people, pending sends and',
    'dead letters. Recounts the active people of the current month from the stored events, and',
    'prints both figures: the meter and the recount.',
    '',
    "If the server is running, it runs the check and keeps serving; a partition's files may",
    'grow while the check runs. The exit code is 1 if there is a problem; the',
    'first problems are printed. A check never changes data: --repair accepts only never.',
    'Restore damaged data from a backup. --json prints one JSON object instead of the table.',
  ].join('\n'),
  run: check,
};

async function check(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['repair'], ['json']);
  if (positionals.length > 1) throw new UsageError(`usage: ${command.usage}`);
  if ((options.get('repair') ?? 'never') !== 'never')
    throw new UsageError('--repair accepts only never: a check changes nothing.');
  const directory = resolve(positionals[0] ?? readConfig(process.env).dataDir);
  needData(directory);
  const progress = progressOnStderr();
  let found: { readonly reports: readonly PartitionReport[]; readonly damage: string | undefined };
  try {
    found = await look(directory, progress);
  } finally {
    progress.end();
  }
  const { reports, damage } = found;
  const problemCount =
    reports.reduce((sum, report) => sum + report.problemCount, 0) + (damage === undefined ? 0 : 1);
  const output = options.has('json')
    ? `${JSON.stringify({ directory, ok: problemCount === 0, damage: damage ?? null, reports })}\n`
    : `${table(reports)}\n${verdict(reports, damage, problemCount)}\n`;
  process.stdout.write(output);
  return problemCount === 0 ? 0 : 1;
}

async function look(
  directory: string,
  progress: CommandProgress,
): Promise<{ reports: readonly PartitionReport[]; damage: string | undefined }> {
  const isBackup = existsSync(join(directory, 'manifest.json'));
  const offline = () =>
    runCheck(
      { dataDir: directory, partitions: partitionsIn(directory), level: 'all' },
      { onProgress: (partition, what) => progress.show(`partition ${partition}: ${what}`) },
    );
  if (isBackup) {
    const damage = await damageOf(directory, readManifest(directory), (partition) =>
      progress.show(`partition ${partition}: checksums`),
    );
    return { reports: await offline(), damage };
  }
  const byServer = await askServer<'check'>(directory, { command: 'check' }, progress.show);
  if (byServer !== undefined) return { reports: byServer.reports, damage: undefined };
  return { reports: await withLock(directory, offline), damage: undefined };
}

const columns: readonly (readonly [string, (report: PartitionReport) => string])[] = [
  ['partition', ({ partition }) => String(partition)],
  ['epoch', ({ epoch }) => String(epoch)],
  ['log', ({ oldestSeq, newestSeq }) => (newestSeq === 0 ? 'empty' : `${oldestSeq}..${newestSeq}`)],
  ['entries', ({ entries }) => String(entries)],
  ['documents', ({ documents }) => String(documents)],
  ['checkpoints', ({ checkpoints }) => String(checkpoints)],
  ['history', ({ historyFiles }) => String(historyFiles)],
  ['apps', ({ apps }) => String(apps)],
  ['people', ({ people }) => String(people)],
  ['active', ({ active }) => (active === undefined ? '' : String(active.metered))],
  ['recounted', ({ active }) => (active === undefined ? '' : String(active.counted))],
  ['size', ({ bytes }) => bytesText(bytes)],
  ['problems', ({ problemCount }) => String(problemCount)],
];

function table(reports: readonly PartitionReport[]): string {
  const rows = [
    columns.map(([name]) => name),
    ...reports.map((report) => columns.map(([, cell]) => cell(report))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '))
    .join('\n');
}

function verdict(
  reports: readonly PartitionReport[],
  damage: string | undefined,
  problemCount: number,
): string {
  if (problemCount === 0) return 'No problems found.';
  const sentences = [
    ...(damage === undefined ? [] : [damage]),
    ...reports.flatMap(({ partition, problems }) =>
      problems.map((problem) => `partition ${partition}: ${problem}`),
    ),
  ];
  const shown = sentences.slice(0, problemsShown);
  const rest = problemCount - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more.`] : [])].join('\n');
}
