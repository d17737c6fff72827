// The programs that tests of broken disks need, and runs of the committer under them.

import { spawn, spawnSync } from 'node:child_process';
import { nodeArguments } from '../../support/places.ts';
import type { CommitterOptions } from './committer.ts';

const committer = nodeArguments('test/storage/support/committer.ts');

/** A reason to skip, or false: can this machine trace processes? */
export function withoutStrace(): string | false {
  const probe = spawnSync('strace', [
    '-f',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    '-e',
    'trace=fdatasync',
    'true',
  ]);
  return probe.status === 0 ? false : 'strace is not installed, or may not trace here';
}

/** A reason to skip, or false: is there a C compiler? */
export function withoutCompiler(): string | false {
  return spawnSync('gcc', ['--version']).status === 0 ? false : 'gcc is not installed';
}

/** How a run of the committer went. */
interface CommitterRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly elapsedMs: number;
  /** What it said, a line each. */
  readonly lines: readonly string[];
  /** The newest turn it called durable; 0 for none. */
  readonly acknowledged: number;
  readonly stderr: string;
}

/**
 * Runs the committer, under `strace` with these arguments when there are any, and gives up after 30
 * seconds.
 */
export async function runCommitter(
  options: CommitterOptions,
  strace: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<CommitterRun> {
  const node = [process.execPath, ...committer, JSON.stringify(options)];
  const traced = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', ...strace, '--', ...node];
  const [command = '', ...args] = strace.length > 0 ? traced : node;
  const startedMs = performance.now();
  // One thread in the pool: strace counts calls by thread, and LMDB commits on the pool's.
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', ...env },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data));
  child.stderr.on('data', (data: Buffer) => (stderr += data));
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (...ended) => resolve(ended)),
  );
  clearTimeout(timer);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const durable = lines
    .filter((line) => line.startsWith('durable '))
    .map((line) => Number(line.split(' ')[1]));
  return {
    status,
    signal,
    elapsedMs: performance.now() - startedMs,
    lines,
    acknowledged: Math.max(0, ...durable),
    stderr,
  };
}
