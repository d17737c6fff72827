// Campaigns that may still be taken back, by id: kept in the browser, so that a reload, another
// screen and another tab offer it too. Hints alone: what the server says of a campaign decides.

export interface UndoHint {
  readonly appId: string;
  readonly id: string;
}

const key = 'engage.undo';
const hintsMax = 3;
const listeners = new Set<() => void>();
let read: { readonly text: string | null; readonly hints: readonly UndoHint[] } = {
  text: null,
  hints: [],
};

/** Newest first. The same array until it changes. */
export function undoHints(): readonly UndoHint[] {
  const text = localStorage.getItem(key);
  if (text !== read.text) read = { text, hints: hintsIn(text) };
  return read.hints;
}

export function noteUndo({ appId, id }: UndoHint): void {
  const known = undoHints();
  if (known.some((one) => one.id === id)) return;
  write([{ appId, id }, ...known].slice(0, hintsMax));
}

export function forgetUndo(id: string): void {
  write(undoHints().filter((one) => one.id !== id));
}

export function onUndoHints(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

function write(hints: readonly UndoHint[]): void {
  if (hints.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(hints));
  for (const tell of [...listeners]) tell();
}

function hintsIn(text: string | null): readonly UndoHint[] {
  try {
    const hints: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(hints) ? hints.filter(isHint) : [];
  } catch {
    return [];
  }
}

function isHint(one: unknown): one is UndoHint {
  const { appId, id } = (one ?? {}) as Partial<Record<string, unknown>>;
  return typeof appId === 'string' && typeof id === 'string';
}
