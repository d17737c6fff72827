// Checks partitions in child processes, one partition at a time. A damaged file can end its child
// (a crash in native code): that partition gets a problem, and another child continues.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CheckEvent, CheckJob, PartitionReport } from './protocol.ts';

interface CheckOptions {
  /** Ends the check; the result is what was found so far. */
  readonly signal?: AbortSignal;
  onProgress?(partition: number, what: string): void;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = fileURLToPath(new URL(`./entry.${extension}`, import.meta.url));
/** From TypeScript sources the child needs tsx. */
const execArgv = extension === 'ts' ? ['--import', import.meta.resolve('tsx')] : [];

/** One report per partition, in the order given. Never rejects because of the files. */
export async function runCheck(
  job: CheckJob,
  options: CheckOptions = {},
): Promise<PartitionReport[]> {
  const reports: PartitionReport[] = [];
  const { signal } = options;
  for (;;) {
    const end = await runChild(
      { ...job, partitions: job.partitions.slice(reports.length) },
      reports,
      options,
    );
    const next = job.partitions[reports.length];
    if (next === undefined || signal?.aborted) return reports;
    reports.push(broken(next, `the checking process ended with ${end}: the files are damaged`));
    if (reports.length === job.partitions.length) return reports;
  }
}

/** Resolves to how the child ended. */
function runChild(
  job: CheckJob,
  reports: PartitionReport[],
  { signal, onProgress }: CheckOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(entry, [], { execArgv, stdio: ['ignore', 2, 2, 'ipc'] });
    const stop = () => child.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    child.on('message', (event: CheckEvent) => {
      if (event.kind === 'progress') onProgress?.(event.partition, event.what);
      else if (event.kind === 'report') reports.push(event.report);
      else reports.push(broken(event.partition, event.problem));
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      signal?.removeEventListener('abort', stop);
      resolve(killedBy ?? `exit code ${code}`);
    });
    child.send(job);
  });
}

function broken(partition: number, problem: string): PartitionReport {
  return {
    partition,
    epoch: 0,
    oldestSeq: 0,
    newestSeq: 0,
    blocks: 0,
    entries: 0,
    documents: 0,
    tables: [],
    checkpoints: 0,
    historyFiles: 0,
    apps: 0,
    people: 0,
    folds: 0,
    newestMs: 0,
    bytes: 0,
    durMs: 0,
    problems: [problem],
    problemCount: 1,
  };
}
