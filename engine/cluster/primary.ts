// The node:cluster primary: starts the engine process, starts it again with backoff when it
// crashes, passes signals on and ends it for good. It serves nothing itself and holds no state
// worth keeping.

import cluster, { type Worker } from 'node:cluster';
import type { ErrorLog } from '../observe/lazy-log.ts';

interface PrimaryOptions {
  /** The engine process's module and arguments. */
  readonly exec: string;
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
  /** Read anew at every start, so that addresses of a restarted neighbour reach it. */
  environment(): Readonly<Record<string, string>>;
  readonly log: ErrorLog;
  /** Called when the engine serves. */
  onReady(message: Readonly<Record<string, unknown>>): void;
  /** Called once everything has ended, with the exit code. */
  onEnd(code: number): void;
}

const backoffMs = [100, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** An engine that ran this long before it crashed starts the backoff over. */
const healthyMs = 60_000;
/** An engine that never served is not started more often than this. */
const startTriesMax = 5;
const drainLimitMs = 25_000;
/** A dying engine that still hangs in native code is put to an end. */
const dyingLimitMs = 2_000;
/** The exit code of a start that cannot work, whatever is tried again. */
export const configurationExitCode = 78;

/** Supervises the engine until it is stopped; returns how to stop it. */
export function supervise(options: PrimaryOptions): { stop(signal: NodeJS.Signals): void } {
  const { log } = options;
  let worker: Worker | undefined;
  let failures = 0;
  let startedMs = 0;
  let everReady = false;
  let stopping = false;
  let retry: NodeJS.Timeout | undefined;

  cluster.setupPrimary({
    exec: options.exec,
    args: [...options.args],
    execArgv: [...options.execArgv],
    silent: false,
  });

  const start = () => {
    startedMs = performance.now();
    worker = forkEngine(options, () => {
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

function forkEngine(options: PrimaryOptions, onReady: () => void): Worker {
  const worker = cluster.fork(options.environment());
  worker.on('message', (message: Readonly<Record<string, unknown>>) => {
    if (message['kind'] === 'ready') {
      onReady();
      options.onReady(message);
    }
    if (message['kind'] === 'dying')
      setTimeout(() => worker.process.kill('SIGKILL'), dyingLimitMs).unref();
  });
  return worker;
}
