// Whether the kernel's clock is synchronized, as far as files and tools say without native code:
// systemd's own mark, else what `timedatectl` or chrony know. A container usually has none of them.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Millis } from '../../engine/base/brand.ts';

/** Made by systemd-timesyncd once it has set the clock; gone after a reboot. */
const markFile = '/run/systemd/timesync/synchronized';
const toolTimeoutMs: Millis = 2_000;

type RunTool = (tool: string, words: readonly string[]) => Promise<string>;

/** False where nothing says so. */
export async function isKernelSynchronized(
  hasFile: (path: string) => boolean = existsSync,
  run: RunTool = runTool,
): Promise<boolean> {
  if (hasFile(markFile)) return true;
  const asked = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']);
  if (asked.trim() === 'yes') return true;
  const leap = (await run('chronyc', ['-c', 'tracking'])).trim().split(',').at(-1);
  return leap === 'Normal';
}

const execute = promisify(execFile);

/** What it prints; nothing if it is missing or fails. */
async function runTool(tool: string, words: readonly string[]): Promise<string> {
  try {
    return (await execute(tool, [...words], { timeout: toolTimeoutMs })).stdout;
  } catch {
    return '';
  }
}
