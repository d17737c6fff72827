// The node:cluster primary: starts the engine, restarts it with backoff after crashes, passes
// signals on, ends it. Serves nothing, holds no state of value.

import cluster, { type Worker } from 'node:cluster';
import type { ErrorLog } from '../observe/lazy-log.ts';

/** A failed commit, another end of a thread, a signal from outside, or anything else. */
export const restartReasons = ['commit_failed', 'thread_ended', 'killed', 'other'] as const;
export type RestartReason = (typeof restartReasons)[number];

/** How often the engine was started again, since the primary began. */
type Restarts = Partial<Record<RestartReason, number>>;

/** A shard thread's exit code where a commit failed. */
export const commitFailedExitCode = 74;

interface PrimaryOptions {
  readonly exec: string;
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
  /** Read at every start, so that a restarted neighbor's addresses arrive. */
  environment(restarts: Restarts): Readonly<Record<string, string>>;
  readonly log: ErrorLog;
  onReady(message: Readonly<Record<string, unknown>>): void;
  onEnd(code: number): void;
}

const backoffMs = [100, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** A crash after this long restarts the backoff. */
const healthyMs = 60_000;
/** Starts of an engine that never served. */
const startTriesMax = 5;
const drainLimitMs = 25_000;
/** Kills a dying engine that hangs in native code. */
const dyingLimitMs = 2_000;
/** For a start that no retry can fix. */
export const configurationExitCode = 78;

/** Returns how to stop it. */
export function supervise(options: PrimaryOptions): { stop(signal: NodeJS.Signals): void } {
  const { log } = options;
  let worker: Worker | undefined;
  let failures = 0;
  let startedMs = 0;
  let everReady = false;
  let stopping = false;
  const restarts: Restarts = {};
  let retry: NodeJS.Timeout | undefined;

  cluster.setupPrimary({
    exec: options.exec,
    args: [...options.args],
    execArgv: [...options.execArgv],
    silent: false,
  });

  const start = () => {
    startedMs = performance.now();
    worker = forkEngine(options, restarts, () => {
      everReady = true;
    });
    worker.once('exit', ended);
  };

  const ended = (code: number | null, signal: string | null) => {
    worker = undefined;
    if (stopping) {
      options.onEnd(code === 0 ? 0 : 1);
      return;
    }
    if (
      code === configurationExitCode ||
      (!everReady && (code === 1 || failures >= startTriesMax))
    ) {
      options.onEnd(1); // it has said why; trying again would say it again
      return;
    }
    if (performance.now() - startedMs > healthyMs) failures = 0;
    const delayMs = backoffMs[Math.min(failures, backoffMs.length - 1)] as number;
    failures++;
    log.error(
      { evt: 'engine.exit', code: code ?? signal ?? 'unknown', delayMs, count: failures },
      'the engine process exited; restarting it',
    );
    retry = setTimeout(start, delayMs);
  };

  start();
  return {
    stop(signal) {
      if (stopping) {
        worker?.process.kill('SIGKILL'); // asked twice
        return;
      }
      stopping = true;
      clearTimeout(retry);
      if (worker === undefined) {
        options.onEnd(0);
        return;
      }
      worker.process.kill(signal);
      setTimeout(() => worker?.process.kill('SIGKILL'), drainLimitMs).unref();
    },
  };
}

function forkEngine(options: PrimaryOptions, restarts: Restarts, onReady: () => void): Worker {
  const worker = cluster.fork(options.environment(restarts));
  let dyingOf: RestartReason | undefined;
  worker.once('exit', (_code, signal: string | null) => {
    const reason = dyingOf ?? (signal === null ? 'other' : 'killed');
    restarts[reason] = (restarts[reason] ?? 0) + 1;
  });
  worker.on('message', (message: Readonly<Record<string, unknown>>) => {
    if (message['kind'] === 'ready') {
      onReady();
      options.onReady(message);
    }
    if (message['kind'] === 'dying') {
      dyingOf = message['reason'] as RestartReason;
      setTimeout(() => worker.process.kill('SIGKILL'), dyingLimitMs).unref();
    }
  });
  return worker;
}
