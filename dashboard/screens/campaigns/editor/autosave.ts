// Saves a draft while it is written: 700 ms after the last key, one call at a time, the newest
// wins. Without a message the API takes no campaign yet; then, and while a save fails, the browser
// keeps it.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { type ApiError, asApiError } from '../../../api/errors.ts';
import type { Campaign } from '../../../api/generated.ts';
import { callOver, TheirsKept, type Version } from '../../../api/saves.ts';
import { forgetKept, keep, keptKey, readKept } from '../../../ui/kept-store.ts';
import { bodyOf, type CampaignBody, type Draft } from './draft.ts';

const waitMs = 700;

type SaveState = 'saved' | 'saving' | 'local' | 'failed';

export interface Autosave {
  readonly state: SaveState;
  readonly error: ApiError | undefined;
  /** As the server has it. */
  readonly campaign: Campaign | undefined;
  /** Saves at once; `undefined` if it cannot be saved. */
  flush(): Promise<Campaign | undefined>;
  /** It was sent or deleted: nothing more is saved or kept. */
  stop(): void;
}

export function useAutosave(options: {
  readonly appId: string;
  readonly campaign: Campaign | undefined;
  readonly draft: Draft;
  /** As the server has it. */
  readonly initial: Draft;
  /** What a kept draft was written over, if that is not what is saved: the first save asks. */
  readonly older: Version | undefined;
  readonly draftOf: (campaign: Campaign) => Draft;
  readonly isRefused: boolean;
  readonly onMade: ((id: string) => void) | undefined;
  /** `sent` was saved over `before`; `now` also has what someone else saved in between. */
  readonly onMerged: (sent: Draft, before: Campaign, now: Campaign) => void;
  /** The person kept what someone else saved. */
  readonly onTheirs: (theirs: Campaign) => void;
}): Autosave {
  const client = useQueryClient();
  const latest = useRef(options);
  latest.current = options;
  const [campaign, setCampaign] = useState(options.campaign);
  const [state, setState] = useState<SaveState>(options.campaign === undefined ? 'local' : 'saved');
  const [error, setError] = useState<ApiError>();
  const saved = useRef<{ campaign: Campaign | undefined; version?: Version; body: string }>({
    campaign: options.campaign,
    ...(options.older === undefined ? {} : { version: options.older }),
    body: JSON.stringify(bodyOf(options.initial)),
  });
  const running = useRef<Promise<Campaign | undefined>>(undefined);
  const isStopped = useRef(false);

  const saveOnce = useCallback(async (): Promise<Campaign | undefined> => {
    const { appId, draft, isRefused } = latest.current;
    const body = bodyOf(draft);
    const text = JSON.stringify(body);
    const { campaign: known, version = known } = saved.current;
    if (isStopped.current || isRefused) return known;
    if (known !== undefined && text === saved.current.body) {
      forget(appId, known.id);
      setState('saved');
      setError(undefined);
      return known;
    }
    if (body.messageId === undefined) {
      setState('local');
      return undefined;
    }
    setState('saving');
    try {
      const made =
        known === undefined || version === undefined
          ? await call('createCampaign', { path: { appId }, body: body as CampaignBody })
          : await callOver('updateCampaign', { path: { appId, id: known.id }, body }, version);
      saved.current = { campaign: made, body: text };
      if (known !== undefined) latest.current.onMerged(draft, known, made);
      forget(appId, known?.id);
      client.setQueryData(['readCampaignOfApp', { path: { appId, id: made.id } }], made);
      void client.invalidateQueries({ queryKey: ['listCampaigns'] });
      setCampaign(made);
      setError(undefined);
      setState('saved');
      if (known === undefined) latest.current.onMade?.(made.id);
      return made;
    } catch (failure) {
      if (failure instanceof TheirsKept && failure.theirs !== undefined) {
        const theirs = failure.theirs as unknown as Campaign;
        saved.current = {
          campaign: theirs,
          body: JSON.stringify(bodyOf(latest.current.draftOf(theirs))),
        };
        latest.current.onTheirs(theirs);
        setCampaign(theirs);
        setError(undefined);
        setState('saved');
        return undefined;
      }
      setError(asApiError(failure));
      setState('failed');
      return undefined;
    }
  }, [client]);

  const flush = useCallback(async () => {
    await running.current;
    running.current = saveOnce();
    const made = await running.current;
    running.current = undefined;
    return made;
  }, [saveOnce]);

  const { draft, appId } = options;
  const isFirst = useRef(draft === options.initial);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    if (isStopped.current) return undefined;
    const { campaign: known, version = known } = saved.current;
    keep(keyOf(appId, known?.id), draft, version?.etag);
    const timer = setTimeout(() => void flush(), waitMs);
    return () => clearTimeout(timer);
  }, [draft, appId, flush]);
  // What was typed last is saved although the screen is left.
  useEffect(() => () => void flush(), [flush]);
  const stop = useCallback(() => {
    isStopped.current = true;
    forget(latest.current.appId, saved.current.campaign?.id);
  }, []);
  return { state, error, campaign, flush, stop };
}

function keyOf(appId: string, id: string | undefined): string {
  return keptKey('campaign', appId, id ?? 'new');
}

function forget(appId: string, id: string | undefined): void {
  forgetKept(keyOf(appId, id));
}

/** What the browser kept, and what it was written over if the campaign was changed since. */
export function keptDraft(
  appId: string,
  campaign: Campaign | undefined,
): { readonly draft: Draft; readonly older: Version | undefined } | undefined {
  const kept = readKept<Draft>(keyOf(appId, campaign?.id), ({ name }) => typeof name === 'string');
  if (kept === undefined) return undefined;
  const { draft, etag } = kept;
  const isNewest = campaign === undefined || campaign.etag === etag;
  return { draft, older: isNewest ? undefined : { etag } };
}
