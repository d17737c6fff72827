// The draft of an editor: kept in this browser while it differs from what is saved, and offered
// again when the editor is opened.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { forgetKept, keep, readKept } from './kept-store.ts';

const keepMs = 300;

interface Versioned {
  readonly etag: string;
}

export interface KeptDraft<Draft, Saved extends Versioned> {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly isDirty: boolean;
  /** As it is at this moment, for questions asked outside of drawing. */
  readonly isDirtyNow: () => boolean;
  /** It was typed before and not saved; `stale`: somebody has saved the thing since. */
  readonly restored: 'none' | 'fresh' | 'stale';
  /** The browser cannot keep it. */
  readonly isUnkept: boolean;
  readonly discard: () => void;
  readonly settle: (saved: Saved) => void;
  /** As it is saved; `undefined` for a new one. */
  readonly saved: Saved | undefined;
  /** What the next save is about: for a stale draft what was saved then, so the save asks. */
  readonly base: Saved | Versioned | undefined;
}

interface Options<Draft, Saved> {
  readonly key: string;
  /** `undefined` for a new one. */
  readonly saved: Saved | undefined;
  /** Of a new one. */
  readonly start: Draft;
  readonly draftOf: (saved: Saved) => Draft;
  /** Whether a kept draft is one that this page can show. */
  readonly isGood: (draft: Partial<Draft>) => boolean;
  readonly isSame?: (one: Draft, other: Draft) => boolean;
}

export function useKeptDraft<Draft, Saved extends Versioned>({
  key,
  saved,
  start,
  draftOf,
  isGood,
  isSame = isSameText,
}: Options<Draft, Saved>): KeptDraft<Draft, Saved> {
  const kept = useMemo(() => readKept(key, isGood), [key, isGood]);
  const [base, setBase] = useState(() => (saved === undefined ? start : draftOf(saved)));
  const [newest, setNewest] = useState(saved);
  const [draft, setDraft] = useState(kept?.draft ?? base);
  const [restored, setRestored] = useState<KeptDraft<Draft, Saved>['restored']>(() => {
    if (kept === undefined || isSame(kept.draft, base)) return 'none';
    return kept.etag === (saved?.etag ?? '') ? 'fresh' : 'stale';
  });
  /** What the draft was written over. */
  const [since, setSince] = useState<Saved | Versioned | undefined>(() =>
    restored === 'stale' ? { etag: kept?.etag ?? '' } : saved,
  );
  const [isUnkept, setUnkept] = useState(false);
  const isDirty = useMemo(() => !isSame(draft, base), [draft, base, isSame]);
  const etag = since?.etag ?? '';
  const latest = useRef({ draft, base, etag });
  latest.current = { draft, base, etag };
  const isDirtyNow = useCallback(
    () => !isSame(latest.current.draft, latest.current.base),
    [isSame],
  );

  useEffect(() => {
    const timer = setTimeout(() => {
      if (isDirty) setUnkept(!keep(key, draft, etag));
      else forgetKept(key);
    }, keepMs);
    return () => clearTimeout(timer);
  }, [key, draft, etag, isDirty]);
  // Leaving within those milliseconds must not lose the last keys.
  useEffect(() => {
    const now = () => void (isDirtyNow() && keep(key, latest.current.draft, latest.current.etag));
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, [key, isDirtyNow]);

  const become = (next: Draft, version: Saved | undefined) => {
    forgetKept(key);
    latest.current = { draft: next, base: next, etag: version?.etag ?? '' };
    setBase(next);
    setDraft(next);
    setSince(version);
    setRestored('none');
  };
  return {
    draft,
    change: setDraft,
    isDirty,
    isDirtyNow,
    restored,
    isUnkept,
    discard: () => become(base, newest),
    settle: (next) => {
      setNewest(next);
      become(draftOf(next), next);
    },
    saved: newest,
    base: since,
  };
}

function isSameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
