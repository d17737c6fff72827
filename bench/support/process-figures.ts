// What the kernel knows of processes: processor time, memory, children. Linux only, as the benches
// are.

import { existsSync, readFileSync } from 'node:fs';

/**
 * Resident bytes of a process: its own (heap, buffers, stacks), and pages of files that the kernel
 * could take back.
 */
export interface ProcessMemory {
  readonly anonymousBytes: number;
  readonly fileBytes: number;
}

/** User and system time of a process or thread, in the kernel's hundredths. */
export function elapsedSeconds(statPath: string): number {
  const fields = readFileSync(statPath, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A figure in kB of a process and its children, added up. */
export function megabytesOf(pid: number, file: string, figure: RegExp): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => {
    const text = readFileSync(`/proc/${one}/${file}`, 'utf8');
    return sum + Number(figure.exec(text)?.[1] ?? 0) / 1024;
  }, 0);
}

/**
 * What the kernel says of one process; a page of a file that was written to since counts as its
 * own.
 */
export function memoryOf(pid: number): ProcessMemory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) * 1024;
  const anonymousBytes = bytes('Anonymous');
  return { anonymousBytes, fileBytes: bytes('Rss') - anonymousBytes };
}

/** Whether a process still runs; one that ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/status`)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // it went meanwhile
  }
}

/** Ids of the processes that one started and that are still there. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
