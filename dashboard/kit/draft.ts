// The draft of an editor or a form. The browser keeps what is not saved; each save names the
// version that the draft was typed over, so it undoes nobody's changes.

import { useEffect, useMemo, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import { TheirsKept, type Version } from '../api/saves.ts';
import { forgetKept, keep } from '../ui/kept-store.ts';
import {
  afterSave,
  begun,
  cleanOf,
  type DraftKind,
  type DraftState,
  isDirty,
} from './draft-state.ts';
import { change, redo, undo } from './history.ts';

const waitMs = 700;
const offlineMs = 5_000;

interface DraftOptions<Draft extends object, Saved extends Version>
  extends DraftKind<Draft, Saved> {
  /** Creates it if `saved` is `undefined`. `version` is what the draft was typed over. */
  readonly send: (
    draft: Draft,
    saved: Saved | undefined,
    version: Saved | Version | null,
  ) => Promise<Saved>;
  /** Not called once the editor is left. */
  readonly onSaved?: (saved: Saved, isNew: boolean) => void;
  /** Why this person cannot save. */
  readonly refused: string | undefined;
  /** Whether the API would not take it yet. */
  readonly isLacking?: (draft: Draft) => boolean;
  /** Never kept in the browser. */
  readonly secrets?: readonly (keyof Draft)[];
}

export interface DraftTools<Draft, Saved> {
  readonly draft: Draft;
  /** `tag` names the field that is typed into: its changes in a row are undone as one. */
  change(part: Partial<Draft>, tag?: string): void;
  undo(): void;
  redo(): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly isDirty: boolean;
  /** As it is at this moment, for questions asked outside of drawing. */
  isDirtyNow(): boolean;
  /** `lacking`: it is not saved before more is filled in. `refused`: the server did not take it. */
  readonly state: 'saved' | 'changed' | 'lacking' | 'saving' | 'refused';
  readonly error: ApiError | undefined;
  readonly restored: DraftState<Draft, Saved>['restored'];
  /** Whether the browser keeps all of it: a secret is never kept, and its storage may be full. */
  readonly isKept: boolean;
  readonly isStorageFull: boolean;
  /** As it is saved. */
  readonly saved: Saved | undefined;
  /** Resolves with what is saved; `undefined` if it cannot be saved. */
  save(): Promise<Saved | undefined>;
  discard(): void;
  /** After another call changed it. */
  take(saved: Saved): void;
}

export function useDraft<Draft extends object, Saved extends Version>(
  options: DraftOptions<Draft, Saved>,
): DraftTools<Draft, Saved> {
  const { saved, start, draftOf, isForm = false, isLacking } = options;
  const [state, setState] = useState(() => begun(options));
  const now = useRef(state);
  const put = (next: typeof state) => {
    now.current = next;
    setState(next);
  };
  const take = (next: Saved | undefined) =>
    put(cleanOf(next, next === undefined ? start : draftOf(next)));
  const { history, base, newest, restored } = state;
  const draft = history.present;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `isSame` stays what it is
  const dirty = useMemo(() => isDirty(options, { history, base }), [history, base]);
  const kept = useKept(options, state, dirty);
  const latest = useRef(options);
  latest.current = options;
  const saving = useSaving(latest, now, put);
  const lacks = isLacking?.(draft) === true;
  const wasTried = saving.tried === draft;
  useSaveSoon(saving.save, draft, {
    isWanted: options.autosave === true && dirty && !lacks && options.refused === undefined,
    isBusy: saving.isBusy,
    wasTried,
    isOffline: saving.error?.isOffline === true,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version is taken once
  useEffect(() => {
    if (!isForm || saved === undefined || saved.etag === now.current.newest?.etag) return;
    if (isDirty(options, now.current)) put({ ...now.current, newest: saved });
    else take(saved);
  }, [isForm, saved?.etag]);
  return {
    draft,
    change: (part, tag) => {
      const at = now.current.history;
      put({ ...now.current, history: change(at, { ...at.present, ...part }, Date.now(), tag) });
    },
    undo: () => put({ ...now.current, history: undo(now.current.history) }),
    redo: () => put({ ...now.current, history: redo(now.current.history) }),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    isDirty: dirty,
    isDirtyNow: () => isDirty(latest.current, now.current),
    state: stateOf(saving.isBusy, dirty || newest === undefined, lacks, wasTried),
    error: options.autosave === true && !dirty ? undefined : saving.error,
    restored,
    ...kept,
    saved: newest,
    save: saving.save,
    discard: () => {
      forgetKept(options.keptAs(newest));
      saving.reset();
      take(newest);
    },
    take,
  };
}

function stateOf(isBusy: boolean, isChanged: boolean, lacks: boolean, wasTried: boolean) {
  if (isBusy) return 'saving';
  if (!isChanged) return 'saved';
  if (lacks) return 'lacking';
  return wasTried ? 'refused' : 'changed';
}

interface Current<T> {
  readonly current: T;
}

/** One call at a time, of what is typed by then. */
function useSaving<Draft extends object, Saved extends Version>(
  latest: Current<DraftOptions<Draft, Saved>>,
  now: Current<DraftState<Draft, Saved>>,
  put: (state: DraftState<Draft, Saved>) => void,
) {
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ readonly tried?: Draft; readonly error?: ApiError }>({});
  const running = useRef<Promise<Saved | undefined>>(Promise.resolve(undefined));
  const isThere = useRef(false);
  const send = async (): Promise<Saved | undefined> => {
    const { version, newest, history } = now.current;
    const { keptAs, draftOf, onSaved, ...options } = latest.current;
    const sent = history.present;
    const isClean = newest !== undefined && !isDirty(latest.current, now.current);
    if (options.refused !== undefined) return newest;
    if (isClean) {
      if (options.autosave !== true) onSaved?.(newest, false);
      return newest;
    }
    if (options.isLacking?.(sent) === true) return undefined;
    setBusy(true);
    try {
      const answer = await options.send(sent, newest, version ?? null);
      forgetKept(keptAs(newest));
      put(afterSave(latest.current, now.current, sent, answer));
      setFailed({});
      if (isThere.current) onSaved?.(answer, newest === undefined);
      return answer;
    } catch (failure) {
      const isGivenUp = failure instanceof TheirsKept;
      setFailed(isGivenUp ? { tried: sent } : { tried: sent, error: asApiError(failure) });
      if (!isGivenUp || failure.theirs === undefined) return undefined;
      const theirs = failure.theirs as unknown as Saved;
      put(cleanOf(theirs, draftOf(theirs)));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const save = () => {
    running.current = running.current.then(send);
    return running.current;
  };
  const final = useRef(save);
  final.current = save;
  // What was typed last is saved although the screen is left.
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      if (latest.current.autosave === true) void final.current();
    };
  }, [latest]);
  return { isBusy, ...failed, save, reset: () => setFailed({}) };
}

/** Each change of the draft waits anew; one that failed waits for the next, or for the network. */
function useSaveSoon(
  save: () => Promise<unknown>,
  draft: object,
  facts: {
    readonly isWanted: boolean;
    readonly isBusy: boolean;
    readonly wasTried: boolean;
    readonly isOffline: boolean;
  },
): void {
  const latest = useRef(save);
  latest.current = save;
  const isAgain = facts.wasTried && facts.isOffline;
  const isWanted = facts.isWanted && !facts.isBusy && (!facts.wasTried || isAgain);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft waits anew
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => void latest.current(), isAgain ? offlineMs : waitMs);
    return () => clearTimeout(timer);
  }, [isWanted, isAgain, draft]);
}

/** Keeps in the browser what is not saved, and says whether it could. */
function useKept<Draft extends object, Saved extends Version>(
  { keptAs, isForm = false, secrets = [] }: DraftOptions<Draft, Saved>,
  { history, base, version, newest }: DraftState<Draft, Saved>,
  dirty: boolean,
) {
  const key = keptAs(newest);
  const draft = history.present;
  const [isStorageFull, setFull] = useState(false);
  useEffect(() => {
    if (!dirty) return forgetKept(key);
    const open = { ...draft };
    for (const name of secrets) delete open[name];
    setFull(!keep(key, open, isForm ? version : version && { etag: version.etag }));
  }, [key, draft, version, dirty, isForm, secrets]);
  const isOpen = secrets.every((name) => draft[name] === base[name]);
  return { isKept: isOpen && !isStorageFull, isStorageFull };
}
