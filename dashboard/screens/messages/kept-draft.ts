// What was typed and not saved, kept in this browser across a reload.

import type { MessageDraft, Saved } from './draft.ts';

export interface KeptDraft {
  readonly draft: MessageDraft;
  /** When the saved message was last changed; another time means that somebody changed it since. */
  readonly since: string;
  readonly atMs: number;
  /** Of the saved message then; absent in drafts of older pages. */
  readonly etag?: string;
}

const prefix = 'engage.message.';
const keptMs = 14 * 86_400_000;

export function keptKey(appId: string, id: string): string {
  return `${prefix}${appId}.${id}`;
}

/** `undefined` if there is none, if it is too old, or if it cannot be read. */
export function readKept(key: string): KeptDraft | undefined {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as KeptDraft;
    const isGood = typeof kept.draft.base.title === 'string' && Array.isArray(kept.draft.languages);
    if (isGood && Date.now() - kept.atMs < keptMs) return kept;
  } catch {
    // It was written by another version of this page, and cannot be shown.
  }
  localStorage.removeItem(key);
  return undefined;
}

/** A full store must not stop the typing. Returns whether it was kept. */
export function keep(
  key: string,
  draft: MessageDraft,
  { updatedAt = '', etag = '' }: Partial<Pick<Saved, 'updatedAt' | 'etag'>>,
): boolean {
  try {
    const kept: KeptDraft = { draft, since: updatedAt, etag, atMs: Date.now() };
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function forget(key: string): void {
  localStorage.removeItem(key);
}
