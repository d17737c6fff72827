// Asks the server how a message would look while it is written: shortly after the last key, one
// question at a time, and the newest answer wins. Answers are not cached: each is of a text that
// will not come back.

import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnswerOf, type ArgumentsOf, call } from '../api/client.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import type { Campaign } from '../api/generated.ts';

export type PreviewQuestion = ArgumentsOf<'previewDraft'>['body'];
export type PreviewAnswer = AnswerOf<'previewDraft'>;

interface PreviewState<Answer = PreviewAnswer> {
  /** The last one that was right; it stays while a new one is on its way or was refused. */
  readonly answer: Answer | undefined;
  readonly error: ApiError | undefined;
  readonly isAsking: boolean;
  again(): void;
}

const pauseMs = 250;
/** The page of a mail is gone after five minutes. */
const renewMs = 4 * 60_000;

export function usePreview(appId: string, question: PreviewQuestion): PreviewState {
  return useAsked(JSON.stringify([appId, question]), (signal) =>
    call('previewDraft', { path: { appId }, body: question }, { signal }),
  );
}

/** What a campaign sends: its copy, or its message before it is sent. */
export function useCampaignPreview(
  appId: string,
  { id, updatedAt }: Pick<Campaign, 'id' | 'updatedAt'>,
  question: ArgumentsOf<'previewCampaign'>['body'],
): PreviewState<AnswerOf<'previewCampaign'>> {
  return useAsked(JSON.stringify([appId, id, updatedAt, question]), (signal) =>
    call('previewCampaign', { path: { appId, id }, body: question }, { signal }),
  );
}

/** `key` names the question. */
function useAsked<Answer>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): PreviewState<Answer> {
  const [state, setState] = useState<Omit<PreviewState<Answer>, 'again'>>({
    answer: undefined,
    error: undefined,
    isAsking: true,
  });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((one) => one + 1), []);
  const isFirst = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` and `round` say when to ask
  useEffect(() => {
    const abort = new AbortController();
    setState((old) => ({ ...old, isAsking: true }));
    const timer = setTimeout(
      () => {
        isFirst.current = false;
        ask(abort.signal).then(
          (answer) => setState({ answer, error: undefined, isAsking: false }),
          (error: unknown) => {
            if (abort.signal.aborted) return;
            setState((old) => ({ ...old, error: asApiError(error), isAsking: false }));
          },
        );
      },
      isFirst.current ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, round]);

  useEffect(() => {
    const timer = setInterval(again, renewMs);
    return () => clearInterval(timer);
  }, [again]);
  return { ...state, again };
}
