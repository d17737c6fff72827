// Sends dead letters again. One call takes a thousand at most, so it is repeated until all that
// were open have been sent once: one that fails again meanwhile stays for a person to look at.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, refreshAfter } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/errors.ts';
import type { Channel, DeadLetter } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';

export type Redriven =
  | { readonly ids: readonly string[] }
  | {
      readonly reason: string;
      readonly channel?: Channel;
      readonly lane?: DeadLetter['lane'];
      readonly open: number;
    }
  | { readonly all: true; readonly open: number };

const idsMax = 1_000;

export function useRedrive() {
  const app = useApp();
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();

  /** How many are being sent again; `undefined` if a call failed, after which `error` says why. */
  const run = async (what: Redriven): Promise<number | undefined> => {
    let redriven = 0;
    setBusy(true);
    setError(undefined);
    setDone(0);
    try {
      for (const body of bodiesOf(what)) {
        const answer = await call('redriveDeadLetters', { path: { appId: app.id }, body });
        redriven += answer.redriven;
        setDone(redriven);
      }
      return redriven;
    } catch (failure) {
      setError(asApiError(failure));
      return undefined;
    } finally {
      setBusy(false);
      void refreshAfter(client, 'redriveDeadLetters');
    }
  };
  return { run, done, isBusy, error, reset: () => setError(undefined) };
}

function* bodiesOf(what: Redriven) {
  if ('ids' in what) {
    for (let from = 0; from < what.ids.length; from += idsMax)
      yield { ids: what.ids.slice(from, from + idsMax) };
    return;
  }
  const { open, ...which } = what;
  for (let from = 0; from < open; from += idsMax) yield which;
}
