// The state of the editor: the draft with undo and redo, saved by itself a moment after the last
// change. What the server does not take stays here and in the browser.

import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import type { Version } from '../../api/saves.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { change, type History, redo, startHistory, undo } from '../../canvas/history.ts';
import { rebased } from '../../ui/draft.ts';
import { forgetKept, keep, keptKey, readKept } from '../../ui/kept-store.ts';
import {
  changedBody,
  createdBody,
  type Draft,
  draftOf,
  isSame,
  type Lacks,
  lacksOf,
} from './draft.ts';

const waitMs = 700;
const offlineMs = 5_000;

type SaveState = 'saved' | 'saving' | 'changed' | 'refused' | 'lacking';

export interface DraftTools {
  readonly draft: Draft;
  /** `tag` names the field that is typed into. */
  edit(next: Partial<Draft>, tag?: string): void;
  undo(): void;
  redo(): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly state: SaveState;
  readonly error: ApiError | undefined;
  readonly lacks: Lacks | undefined;
  /** Came from an earlier visit. */
  readonly isRestored: boolean;
  drop(): void;
  retry(): void;
  /** After another call changed the journey. */
  take(journey: Journey): void;
}

/** `journey`: `undefined` for a new one, which is made at its first save. */
export function useDraft(
  journey: Journey | undefined,
  initial: Draft,
  onMade: (journey: Journey) => void,
): DraftTools {
  const app = useApp();
  const isReader = useRefusal('write') !== undefined;
  const key = keptKey('journey', app.id, journey?.id ?? 'new');
  const [kept] = useState(() => keptOver(key, initial));
  const [isRestored, setRestored] = useState(kept !== undefined);
  const [version, setVersion] = useState(() => versionOf(journey, kept?.etag));
  const [history, setHistory] = useState<History<Draft>>(() => begun(kept?.draft, initial));
  const [saved, setSaved] = useState(initial);
  const [tried, setTried] = useState<Draft>();
  const create = useAct('createJourney');
  const update = useAct('updateJourney');
  const draft = history.present;
  const isLive = journey?.active === true;
  const isArchived = journey !== undefined && journey.archivedAt !== null;
  const lacks = lacksOf(draft);
  const isChanged = !isSame(draft, saved);
  const isBusy = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  const isTried = tried === draft && error !== undefined;

  const take = (next: Journey) => {
    setSaved(draftOf(next));
    setVersion(next);
    setRestored(false);
    setHistory((now) => ({ ...now, present: draftOf(next) }));
  };
  const made = useRef(onMade);
  made.current = onMade;
  const save = () => {
    setTried(draft);
    const done = {
      onSuccess: (answer: Journey) => {
        const now = draftOf(answer);
        const own = version !== undefined && 'steps' in version ? draftOf(version) : now;
        setHistory((at) => ({ ...at, present: rebased(at.present, draft, own, now) }));
        setSaved(rebased(draft, draft, own, now));
        setVersion(answer);
        setRestored(false);
        if (journey === undefined) {
          forgetKept(key);
          made.current(answer);
        }
      },
    };
    if (journey === undefined)
      create.mutate({ path: { appId: app.id }, body: createdBody(draft) }, done);
    else
      update.mutate(
        {
          path: { appId: app.id, id: journey.id },
          body: changedBody(draft, isLive),
          base: version ?? journey,
        },
        { ...done, onTheirs: take },
      );
  };
  const isOffline = isTried && error.isOffline;
  const mayBegin = isChanged && !isBusy && lacks === undefined && !isReader && !isArchived;
  useSaveSoon(draft, mayBegin && (!isTried || isOffline), isOffline ? offlineMs : waitMs, save);
  useKept(key, draft, isChanged, version?.etag ?? '');

  return {
    draft,
    edit: (next, tag) =>
      setHistory((now) => change(now, { ...now.present, ...next }, Date.now(), tag)),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    state: stateOf({
      isChanged: isChanged || journey === undefined,
      isBusy,
      isTried,
      isLacking: lacks !== undefined,
    }),
    error: isTried ? error : undefined,
    lacks,
    isRestored,
    drop: () => {
      forgetKept(key);
      setRestored(false);
      setVersion(journey);
      setHistory(startHistory(saved));
    },
    retry: save,
    take,
  };
}

/** Each change of the draft waits anew. */
function useSaveSoon(draft: Draft, isWanted: boolean, afterMs: number, save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft waits anew
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => latest.current(), afterMs);
    return () => clearTimeout(timer);
  }, [isWanted, afterMs, draft]);
}

/** The browser keeps what is not saved, over the version it was typed over. */
function useKept(key: string, draft: Draft, isChanged: boolean, etag: string): void {
  useEffect(() => {
    if (isChanged) keep(key, draft, etag);
    else forgetKept(key);
  }, [key, isChanged, draft, etag]);
}

function stateOf(facts: {
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly isTried: boolean;
  readonly isLacking: boolean;
}): SaveState {
  if (facts.isBusy) return 'saving';
  if (!facts.isChanged) return 'saved';
  if (facts.isLacking) return 'lacking';
  return facts.isTried ? 'refused' : 'changed';
}

function keptOver(key: string, initial: Draft) {
  const kept = readKept<Draft>(key, ({ steps }) => Array.isArray(steps));
  return kept === undefined || isSame(kept.draft, initial) ? undefined : kept;
}

/**
 * A kept draft is about the version that it was written over: what was saved since must not go.
 * Without a draft, about what is shown.
 */
function versionOf(
  journey: Journey | undefined,
  keptEtag: string | undefined,
): Journey | Version | undefined {
  if (journey === undefined || keptEtag === undefined || keptEtag === journey.etag) return journey;
  return { etag: keptEtag };
}

/** What was kept comes first, and undo leads back to what is saved. */
function begun(kept: Draft | undefined, initial: Draft): History<Draft> {
  const start = startHistory(initial);
  return kept === undefined ? start : change(start, kept, 0);
}
