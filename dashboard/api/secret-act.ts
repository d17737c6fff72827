// A change whose body or answer has a secret: neither stays in the cache, so the secret is gone
// with the component that shows it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, type ArgumentsOf, type OperationName, refreshAfter } from './client.ts';
import { type ApiError, asApiError } from './errors.ts';
import { type BaseOf, callOver, TheirsKept } from './saves.ts';
import { askToSignInAgain } from './sign-in-again.ts';

export function useSecretAct<Name extends OperationName>(name: Name) {
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<ApiError>();
  const fail = (failure: unknown) => {
    const refusal = asApiError(failure);
    if (refusal.code === 'sign_in_again') askToSignInAgain();
    // The reads of this page meet the same refusal, and lead to the sign-in.
    if (refusal.status === 401) void client.invalidateQueries();
    setError(refusal);
  };
  /** `onDone` gets the answer; nothing else keeps it. */
  const run = (
    { base, ...args }: ArgumentsOf<Name> & BaseOf<Name>,
    onDone: (answer: AnswerOf<Name>) => void,
    onTheirs?: () => void,
  ) => {
    setPending(true);
    setError(undefined);
    callOver(name, args as unknown as ArgumentsOf<Name>, base ?? null)
      .then(async (answer) => {
        // What the answer changes is there before a draft of it goes.
        await refreshAfter(client, name);
        onDone(answer);
      })
      .catch(async (failure: unknown) => {
        if (!(failure instanceof TheirsKept)) return fail(failure);
        await refreshAfter(client, name);
        onTheirs?.();
      })
      .finally(() => setPending(false));
  };
  return { run, isPending, error, reset: () => setError(undefined) };
}
