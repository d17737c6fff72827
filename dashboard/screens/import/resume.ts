// How far a file was imported, kept in the browser, so that the same file goes on after a reload.

import type { Mapping } from './target.ts';

interface Kept {
  readonly lines: number;
  readonly mapping: Mapping;
  /** That a person named, or that the file tells. */
  readonly encoding?: string;
}

function keyOf(app: string, { name, size, lastModified }: File): string {
  return `engage.import.${app}.${name}.${size}.${lastModified}`;
}

export function keptOf(app: string, file: File): Kept | undefined {
  const text = localStorage.getItem(keyOf(app, file));
  return text === null ? undefined : (JSON.parse(text) as Kept);
}

export function keep(app: string, file: File, kept: Kept): void {
  localStorage.setItem(keyOf(app, file), JSON.stringify(kept));
}

export function forget(app: string, file: File): void {
  localStorage.removeItem(keyOf(app, file));
}
