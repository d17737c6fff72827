// The `engage` command as a child process, run with only the settings that a test gives.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { nodeArguments, root } from '../../support/places.ts';

/** How a command ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command, to be killed. */
export function startEngage(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, Readable> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ENGAGE|TAP)_|^NODE_OPTIONS$/.test(name),
  );
  return spawn(process.execPath, [...nodeArguments('cli/main.ts'), ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), ...settings },
  });
}

/**
 * Runs a command to its end. One that serves is asked to end (SIGTERM) once its output so far is
 * `enough`.
 */
export function engage(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  enough: (stdout: string) => boolean = () => false,
): Promise<Run> {
  const child = startEngage(words, settings);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (enough(stdout)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}
