// A program of the rig: a group of processes that is started, killed, stopped and woken as one. It
// ends with the runner, however that ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { root } from '../../support/places.ts';

interface ProgramOptions {
  readonly name: string;
  readonly path: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Both outputs are appended to it. */
  readonly logFile: string;
}

const running = new Set<Program>();
process.once('exit', () => {
  for (const program of running) program.send('SIGKILL');
});

export class Program {
  readonly name: string;
  readonly logFile: string;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ProgramOptions) {
    this.name = options.name;
    this.logFile = options.logFile;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** The processes of its group, oldest first. */
  get pids(): readonly number[] {
    const leader = this.#child?.pid;
    return leader === undefined ? [] : pidsOfGroup(leader);
  }

  launch(): void {
    if (this.#child !== undefined) throw new Error(`${this.name} runs already`);
    const { path, words, environment = {}, logFile } = this.#options;
    const output = openSync(logFile, 'a');
    const child = spawn(path, [...words], {
      cwd: root,
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    });
    this.#child = child;
    running.add(this);
    const watch = watchOver(child.pid ?? 0);
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => {
        // What it started would keep its ports and its lock.
        this.send('SIGKILL');
        watch.kill();
        this.#child = undefined;
        running.delete(this);
        resolve();
      });
    });
  }

  /** To all processes of the group. */
  send(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // ESRCH: all have ended
    }
  }

  async kill(): Promise<void> {
    const pids = this.pids;
    this.send('SIGKILL');
    await this.#ended;
    while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Asks it to stop, as a supervisor would; kills it after the limit. */
  async stop(limitMs: number): Promise<void> {
    const pids = this.pids;
    const child = this.#child;
    child?.kill('SIGTERM');
    const timer = setTimeout(() => this.send('SIGKILL'), limitMs);
    await this.#ended;
    clearTimeout(timer);
    while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Nothing of it runs when this returns. */
  pause(): void {
    this.send('SIGSTOP');
    if (process.platform !== 'linux') return;
    while (this.pids.some((pid) => stateOf(pid) !== 'T'));
  }

  resume(): void {
    this.send('SIGCONT');
  }

  /** The end of its log, for a failure. */
  lastWords(): string {
    return readFileSync(this.logFile, 'utf8').slice(-3_000);
  }
}

/** Ends a group whose runner was killed before it could. */
function watchOver(group: number): ChildProcess {
  const script = 'while kill -0 "$0" 2>/dev/null; do sleep 1; done; kill -9 -"$1"';
  const words = ['-c', script, String(process.pid), String(group)];
  return spawn('sh', words, { detached: true, stdio: 'ignore' });
}

function pidsOfGroup(group: number): number[] {
  if (process.platform !== 'linux') return [group];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statOf(pid)?.[2] === String(group));
}

const stateOf = (pid: number) => statOf(pid)?.[0] ?? 'T';

function isAlive(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z';
}

/** State, parent and group; `undefined` once it is gone. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
