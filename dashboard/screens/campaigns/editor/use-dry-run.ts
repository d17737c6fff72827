// The dry run of a draft, and sending exactly what it counted.

import { useEffect, useState } from 'react';
import { type ApiError, asApiError } from '../../../api/errors.ts';
import type { Campaign, DryRun } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { tellDone } from '../../../ui/toast.tsx';
import { noteUndo } from '../../../ui/undo-hints.ts';
import type { CampaignTools } from './use-saved-draft.ts';
import { words } from './words.ts';

export interface DryRunReview {
  readonly result: DryRun | undefined;
  /** The draft changed since, or the server has forgotten the dry run. */
  readonly isStale: boolean;
  readonly isRunning: boolean;
  readonly isSending: boolean;
  readonly error: ApiError | undefined;
  readonly confirmsWarnings: boolean;
  readonly setConfirmsWarnings: (isOn: boolean) => void;
  readonly tolerance: number | undefined;
  readonly setTolerance: (people: number | undefined) => void;
  run(): void;
  /** `undoSeconds`: how long it waits before it begins. */
  send(undoSeconds: number, then: (sent: Campaign) => void): void;
}

/** `bodyText` stands for all that is typed. */
export function useDryRun(tools: CampaignTools, bodyText: string): DryRunReview {
  const app = useApp();
  const [done, setDone] = useState<{ readonly run: DryRun; readonly bodyText: string }>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [confirmsWarnings, setConfirmsWarnings] = useState(false);
  const [tolerance, setTolerance] = useState<number | undefined>(0);
  const dryRun = useAct('dryRunCampaignOfApp');
  const sending = useAct('sendCampaignOfApp');
  const result = done?.run;
  const hasExpired = useExpired(result?.expiresAt);

  const run = async () => {
    setRunning(true);
    setError(undefined);
    try {
      const campaign = await tools.save();
      if (campaign === undefined) return;
      const made = await dryRun.mutateAsync({ path: { appId: app.id, id: campaign.id } });
      setDone({ run: made, bodyText });
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setRunning(false);
    }
  };
  const send = (undoSeconds: number, then: (sent: Campaign) => void) => {
    const id = tools.saved?.id;
    if (id === undefined || result === undefined) return;
    setError(undefined);
    sending.mutate(
      {
        path: { appId: app.id, id },
        body: {
          dryRunId: result.dryRunId,
          tolerance: tolerance ?? 0,
          ...(undoSeconds > 0 && { delaySeconds: undoSeconds }),
          ...(confirmsWarnings && { confirmWarnings: true }),
        },
      },
      {
        onSuccess: (sent) => {
          if (sent.undoUntil !== null) noteUndo({ appId: app.id, id });
          else tellDone(sent.state === 'scheduled' ? words.scheduled : words.sent);
          then(sent);
        },
        onError: (failure) => setError(asApiError(failure)),
      },
    );
  };
  return {
    result,
    isStale: done !== undefined && (done.bodyText !== bodyText || hasExpired),
    isRunning,
    isSending: sending.isPending,
    error,
    confirmsWarnings,
    setConfirmsWarnings,
    tolerance,
    setTolerance,
    run: () => void run(),
    send,
  };
}

function useExpired(expiresAt: string | undefined): boolean {
  const [hasExpired, setExpired] = useState(false);
  useEffect(() => {
    setExpired(false);
    if (expiresAt === undefined) return undefined;
    const timer = setTimeout(() => setExpired(true), Date.parse(expiresAt) - Date.now());
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return hasExpired;
}
