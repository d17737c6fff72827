// Saves a draft while it is written: 700 ms after the last key, one call at a time, the newest wins.
// Without a message the API takes no campaign yet; then, and while a save fails, the browser keeps it.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { type ApiError, asApiError } from '../../../api/errors.ts';
import type { Campaign } from '../../../api/generated.ts';
import { bodyOf, type CampaignBody, type Draft } from './draft.ts';

const waitMs = 700;

export type SaveState = 'saved' | 'saving' | 'local' | 'failed';

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
  readonly isRefused: boolean;
  readonly onMade: ((id: string) => void) | undefined;
}): Autosave {
  const client = useQueryClient();
  const latest = useRef(options);
  latest.current = options;
  const [campaign, setCampaign] = useState(options.campaign);
  const [state, setState] = useState<SaveState>(options.campaign === undefined ? 'local' : 'saved');
  const [error, setError] = useState<ApiError>();
  const saved = useRef({
    campaign: options.campaign,
    body: JSON.stringify(bodyOf(options.initial)),
  });
  const running = useRef<Promise<Campaign | undefined>>(undefined);
  const isStopped = useRef(false);

  const saveOnce = useCallback(async (): Promise<Campaign | undefined> => {
    const { appId, draft, isRefused } = latest.current;
    const body = bodyOf(draft);
    const text = JSON.stringify(body);
    const known = saved.current.campaign;
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
        known === undefined
          ? await call('createCampaign', { path: { appId }, body: body as CampaignBody })
          : await call('updateCampaign', { path: { appId, id: known.id }, body });
      saved.current = { campaign: made, body: text };
      forget(appId, known?.id);
      client.setQueryData(['readCampaignOfApp', { path: { appId, id: made.id } }], made);
      void client.invalidateQueries({ queryKey: ['listCampaigns'] });
      setCampaign(made);
      setError(undefined);
      setState('saved');
      if (known === undefined) latest.current.onMade?.(made.id);
      return made;
    } catch (failure) {
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
    keep(appId, saved.current.campaign, draft);
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
  return `engage.campaign.${appId}.${id ?? 'new'}`;
}

function keep(appId: string, campaign: Campaign | undefined, draft: Draft): void {
  const text = JSON.stringify({ updatedAt: campaign?.updatedAt, draft });
  localStorage.setItem(keyOf(appId, campaign?.id), text);
}

function forget(appId: string, id: string | undefined): void {
  localStorage.removeItem(keyOf(appId, id));
}

/** What the browser kept, unless the campaign was changed elsewhere since. */
export function keptDraft(appId: string, campaign: Campaign | undefined): Draft | undefined {
  try {
    const text = localStorage.getItem(keyOf(appId, campaign?.id));
    const kept =
      text === null ? undefined : (JSON.parse(text) as { updatedAt?: string; draft: Draft });
    return kept !== undefined && kept.updatedAt === campaign?.updatedAt ? kept.draft : undefined;
  } catch {
    return undefined;
  }
}
