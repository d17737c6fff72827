// One send that waits: how long it can be taken back, and what became of it.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import type { Campaign } from '../api/generated.ts';
import { useLiveRead } from '../api/live.ts';
import { useAct } from '../api/queries.ts';
import { serverNowMs } from '../api/server-clock.ts';
import { useRefusal } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { lettersAreOn, useShortcuts } from '../ui/keys.ts';
import { forgetUndo, type UndoHint } from '../ui/undo-hints.ts';
import { undoWords as words } from './undo-words.ts';

/** Asked so often without the live stream. */
const unservedEveryMs = 1_000;
/** How long it says what became of it. */
const outcomeMs = 8_000;
const tickMs = 250;

export function UndoBar({ appId, id }: UndoHint) {
  const path = { appId, id };
  const { data, error } = useLiveRead(
    appId,
    'readCampaignOfApp',
    { path },
    {
      topics: [`campaign:${id}`],
      isLive: ({ undoUntil }) => undoUntil !== null,
      unservedEveryMs,
    },
  );
  const isWaiting = data?.undoUntil != null;
  const [hasWaited, setWaited] = useState(false);
  if (isWaiting && !hasWaited) setWaited(true);
  const isOver = data !== undefined && !isWaiting && !hasWaited;
  const isGone = error?.status === 404 || error?.status === 403;
  useEffect(() => {
    if (isOver || isGone) forgetUndo(id);
  }, [isOver, isGone, id]);
  return data === undefined || isOver || isGone ? null : <Bar appId={appId} campaign={data} />;
}

function Bar({ appId, campaign }: { readonly appId: string; readonly campaign: Campaign }) {
  const { id, name, state, undoUntil } = campaign;
  const to = appPath(appId, 'campaigns', id);
  const [here] = useLocation();
  const own = useRef<HTMLElement>(null);
  const acts = useUndo(appId, campaign);
  const isWaiting = undoUntil !== null;
  const isStaying = isWaiting || acts.wasTooLate || acts.error !== undefined;
  useEffect(() => {
    if (isStaying) return undefined;
    const timer = setTimeout(() => leave(own.current, id), outcomeMs);
    return () => clearTimeout(timer);
  }, [isStaying, id]);
  // The button that had the focus is gone: it stays in the bar.
  useEffect(() => {
    if (!isWaiting && document.activeElement === document.body) own.current?.focus();
  }, [isWaiting]);
  return (
    <section className="late-notice undo-bar" aria-label={words.label} tabIndex={-1} ref={own}>
      {isWaiting ? (
        <Waiting campaign={campaign} untilMs={Date.parse(undoUntil)} error={acts.error} />
      ) : (
        <p role={acts.wasTooLate ? 'alert' : 'status'}>
          {acts.wasTooLate ? words.tooLate(state, name) : words.became(state, name)}{' '}
          {here !== to && <Link to={to}>{state === 'draft' ? words.edit : words.open}</Link>}
        </p>
      )}
      {isWaiting && <UndoButton {...acts} />}
      {state === 'sending' && (
        <Button icon="pause" refused={acts.refused} isBusy={acts.isPausing} onClick={acts.pause}>
          {words.pause}
        </Button>
      )}
      {!isWaiting && (
        <IconButton
          label={words.close}
          icon="close"
          size="small"
          onClick={() => leave(own.current, id)}
        />
      )}
    </section>
  );
}

function UndoButton({ undo, isUndoing, refused }: ReturnType<typeof useUndo>) {
  useShortcuts([{ keys: 'z', label: words.key, run: undo }]);
  return (
    <Button kind="primary" refused={refused} isBusy={isUndoing} onClick={undo}>
      {words.undo}
    </Button>
  );
}

/** The seconds are seen, and read out once: a voice that counts would speak over everything. */
function Waiting({
  campaign: { name },
  untilMs,
  error,
}: {
  readonly campaign: Campaign;
  readonly untilMs: number;
  readonly error: ApiError | undefined;
}) {
  const left = useSecondsTo(untilMs);
  const [announced, setAnnounced] = useState('');
  const first = useRef(left);
  // Text that comes into a region which is there already is read out.
  useEffect(() => setAnnounced(words.announced(name, first.current, lettersAreOn())), [name]);
  return (
    <div className="grow">
      <p className="sr-only" role="status">
        {announced}
      </p>
      <p>
        {left > 0 ? (
          <>
            {words.waits(name)}{' '}
            <strong className="number" role="timer" aria-live="off">
              {words.left(left)}
            </strong>
          </>
        ) : (
          words.now(name)
        )}
      </p>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

function useUndo(appId: string, { id, state, undoUntil }: Campaign) {
  const path = { appId, id };
  const refused = useRefusal('send');
  const unschedule = useAct('unscheduleCampaignOfApp');
  const pausing = useAct('pauseCampaignOfApp');
  const isBusy = unschedule.isPending || refused !== undefined;
  const client = useQueryClient();
  const lookAgain = () => void client.invalidateQueries({ queryKey: ['readCampaignOfApp'] });
  // Refused although nobody else took it back: it had begun.
  const isRefused = unschedule.error?.status === 409;
  const wasTooLate = isRefused && undoUntil === null && state !== 'draft';
  return {
    refused,
    undo: () => {
      if (!isBusy) unschedule.mutate({ path }, { onError: lookAgain });
    },
    pause: () => pausing.mutate({ path }, { onError: lookAgain }),
    isUndoing: unschedule.isPending,
    isPausing: pausing.isPending,
    wasTooLate: wasTooLate && state !== 'paused',
    error: isRefused ? pausing.error : (unschedule.error ?? pausing.error),
  };
}

/** By the server's clock. */
function useSecondsTo(untilMs: number): number {
  const [nowMs, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
}

/** Whoever was in it goes on with the page. */
function leave(bar: HTMLElement | null, id: string): void {
  if (bar?.contains(document.activeElement) === true) document.querySelector('h1')?.focus();
  forgetUndo(id);
}
