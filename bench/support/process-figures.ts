// The kernel's figures on processes: CPU time, memory, children. Linux only, like the benches.

import { existsSync, readFileSync } from 'node:fs';

/** Resident bytes: the process's own (heap, buffers, stacks), and reclaimable file pages. */
export interface ProcessMemory {
  readonly anonymousBytes: number;
  readonly fileBytes: number;
}

/** User and system time of a process or thread, in the kernel's hundredths. */
export function elapsedSeconds(statPath: string): number {
  const fields = readFileSync(statPath, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A figure in kB, summed over a process and its children. */
export function megabytesOf(pid: number, file: string, figure: RegExp): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => {
    const text = readFileSync(`/proc/${one}/${file}`, 'utf8');
    return sum + Number(figure.exec(text)?.[1] ?? 0) / 1024;
  }, 0);
}

/** The kernel's figures for one process; a file page that was written to counts as its own. */
export function memoryOf(pid: number): ProcessMemory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) * 1024;
  const anonymousBytes = bytes('Anonymous');
  return { anonymousBytes, fileBytes: bytes('Rss') - anonymousBytes };
}

/** Whether a process still runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/status`)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // it ended meanwhile
  }
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
