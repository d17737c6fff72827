// The draft in the editor: kept in this browser while it differs from what is saved, offered again
// after a reload, and asked about on leaving.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Version } from '../../api/saves.ts';
import { useApp } from '../../frame/session-context.tsx';
import { draftOf, isSame, type MessageDraft, type Saved } from './draft.ts';
import { forget, keep, keptKey, readKept } from './kept-draft.ts';

const keepMs = 300;

export interface DraftState {
  readonly draft: MessageDraft;
  readonly change: (draft: MessageDraft) => void;
  readonly isDirty: boolean;
  /** As it is at this moment, for questions asked outside of drawing. */
  readonly isDirtyNow: () => boolean;
  /** It was typed before and not saved; `stale`: somebody has saved the message since. */
  readonly restored: 'none' | 'fresh' | 'stale';
  /** The browser cannot keep it. */
  readonly isUnkept: boolean;
  readonly discard: () => void;
  readonly settle: (saved: Saved) => void;
  /** What the draft is about, if that is not what is saved: the next save asks. */
  readonly older: Version | undefined;
}

export function useDraft(id: string, saved: Saved | undefined, start: MessageDraft): DraftState {
  const app = useApp();
  const key = keptKey(app.id, id);
  const kept = useMemo(() => readKept(key), [key]);
  const [base, setBase] = useState(() => (saved === undefined ? start : draftOf(saved)));
  const [newest, setNewest] = useState(saved);
  const [draft, setDraft] = useState(kept?.draft ?? base);
  const [restored, setRestored] = useState<DraftState['restored']>(() => {
    if (kept === undefined || isSame(kept.draft, base)) return 'none';
    return kept.since === (saved?.updatedAt ?? '') ? 'fresh' : 'stale';
  });
  /** What the draft was written over: for a stale one, what was saved then. */
  const [since, setSince] = useState<Pick<Saved, 'updatedAt' | 'etag'> | undefined>(() =>
    restored === 'stale' ? { updatedAt: kept?.since ?? '', etag: kept?.etag ?? '' } : saved,
  );
  const [isUnkept, setUnkept] = useState(false);
  const isDirty = useMemo(() => !isSame(draft, base), [draft, base]);
  const latest = useRef({ draft, base });
  latest.current = { draft, base };

  useEffect(() => {
    const timer = setTimeout(() => {
      if (isDirty) setUnkept(!keep(key, draft, since ?? {}));
      else forget(key);
    }, keepMs);
    return () => clearTimeout(timer);
  }, [key, draft, since, isDirty]);
  // A reload within those milliseconds must not lose the last keys.
  useEffect(() => {
    const now = () => {
      const { draft: last, base: first } = latest.current;
      if (!isSame(last, first)) keep(key, last, since ?? {});
    };
    addEventListener('pagehide', now);
    return () => removeEventListener('pagehide', now);
  }, [key, since]);

  const isDirtyNow = useCallback(() => !isSame(latest.current.draft, latest.current.base), []);
  return {
    draft,
    change: setDraft,
    isDirty,
    isDirtyNow,
    restored,
    isUnkept,
    older: restored === 'stale' ? { etag: since?.etag ?? '' } : undefined,
    discard: () => {
      forget(key);
      latest.current = { draft: base, base };
      setDraft(base);
      setSince(newest);
      setRestored('none');
    },
    settle: (next) => {
      forget(key);
      const own = draftOf(next);
      latest.current = { draft: own, base: own };
      setBase(own);
      setDraft(own);
      setSince(next);
      setNewest(next);
      setRestored('none');
    },
  };
}
