// Ends with npx. It starts commands through a shell: that dies of a signal without passing it on,
// and outlives an npx that was killed.

import { readFileSync } from 'node:fs';

const lookMs = 500;

/** Once npx or its shell is gone, this process gets the SIGTERM that did not arrive. */
export function endWithNpx(): void {
  if (process.env['npm_lifecycle_event'] !== 'npx') return;
  const shell = process.ppid;
  const npx = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npx) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookMs);
  timer.unref();
}

/** `undefined` where the system does not say it in a file. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(parent);
  } catch {
    return undefined; // no Linux, or it has just ended
  }
}
