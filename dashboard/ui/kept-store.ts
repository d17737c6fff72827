// Drafts in this browser: what was typed and not saved outlives a reload and a visit to another
// screen. The one place that stores them.

interface Kept<Draft> {
  readonly draft: Draft;
  /** Of what was saved when the typing began: another one means that somebody changed it since. */
  readonly etag: string;
  readonly atMs: number;
}

const keptMs = 14 * 86_400_000;

/** `kind` is a word of the thing, such as `segment`; `id` is `new` for one that is not saved. */
export function keptKey(kind: string, appId: string, id: string): string {
  return `engage.${kind}.${appId}.${id}`;
}

/** `undefined` if there is none, if it is too old, or if another version of this page wrote it. */
export function readKept<Draft>(
  key: string,
  isGood: (draft: Partial<Draft>) => boolean,
): Kept<Draft> | undefined {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return undefined;
    const { draft, etag = '', atMs = 0 } = JSON.parse(text) as Partial<Kept<Draft>>;
    const isKept = typeof draft === 'object' && draft !== null && Date.now() - atMs < keptMs;
    if (isKept && isGood(draft)) return { draft, etag, atMs };
  } catch {
    // It cannot be read, so it cannot be shown.
  }
  forgetKept(key);
  return undefined;
}

/** A full store must not stop the typing. Returns whether it was kept. */
export function keep<Draft>(key: string, draft: Draft, etag = ''): boolean {
  try {
    const kept: Kept<Draft> = { draft, etag, atMs: Date.now() };
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function forgetKept(key: string): void {
  localStorage.removeItem(key);
}
