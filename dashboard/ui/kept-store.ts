// Drafts in this browser: what was typed and not saved outlives a reload and a visit to another
// screen. The one place that stores them.

interface Kept {
  readonly draft: object;
  /** What was saved when the typing began: another one means that somebody changed it since. */
  readonly over?: object;
  readonly atMs: number;
}

const keptMs = 14 * 86_400_000;

/** `kind` is a word of the thing, such as `segment`; `id` is `new` for one that is not saved. */
export function keptKey(kind: string, appId: string, id: string): string {
  return `engage.${kind}.${appId}.${id}`;
}

/**
 * What `read` makes of a kept draft. It is forgotten if it is too old, or if `read` cannot use it,
 * because another version of this page wrote it.
 */
export function readKept<Result>(
  key: string,
  read: (kept: Omit<Kept, 'atMs'>) => Result | undefined,
): Result | undefined {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return undefined;
    const { draft, over, atMs = 0 } = JSON.parse(text) as Partial<Kept>;
    const isKept = typeof draft === 'object' && draft !== null && Date.now() - atMs < keptMs;
    const result = isKept ? read({ draft, ...(over && { over }) }) : undefined;
    if (result !== undefined) return result;
  } catch {
    // It cannot be read, so it cannot be shown.
  }
  forgetKept(key);
  return undefined;
}

/** A full store must not stop the typing. Returns whether it was kept. */
export function keep(key: string, draft: object, over: object | undefined): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ draft, over, atMs: Date.now() } as Kept));
    return true;
  } catch {
    return false;
  }
}

export function forgetKept(key: string): void {
  localStorage.removeItem(key);
}
