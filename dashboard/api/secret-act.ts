// A change whose body or answer has a secret: neither stays in the cache, so the secret is gone
// with the component that shows it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, type ArgumentsOf, type OperationName, refreshAfter } from './client.ts';
import { type ApiError, asApiError } from './errors.ts';
import { type BaseOf, callOver, TheirsKept } from './saves.ts';

export function useSecretAct<Name extends OperationName>(name: Name) {
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<ApiError>();
  const fail = (failure: unknown) => {
    const refusal = asApiError(failure);
    // The reads of this page meet the same refusal, and lead to the sign-in.
    if (refusal.status === 401) void client.invalidateQueries();
    setError(refusal);
  };
  /** Nothing else keeps the answer. Rejects as `callOver` does. */
  const send = async ({
    base,
    ...args
  }: ArgumentsOf<Name> & BaseOf<Name>): Promise<AnswerOf<Name>> => {
    setPending(true);
    setError(undefined);
    try {
      const answer = await callOver(name, args as unknown as ArgumentsOf<Name>, base ?? null, {
        hasSecrets: true,
      });
      // What the answer changes is there before a draft of it goes.
      await refreshAfter(client, name);
      return answer;
    } catch (failure) {
      if (failure instanceof TheirsKept) void refreshAfter(client, name);
      else fail(failure);
      throw failure;
    } finally {
      setPending(false);
    }
  };
  const run = (
    args: ArgumentsOf<Name> & BaseOf<Name>,
    onDone: (answer: AnswerOf<Name>) => void,
    onTheirs?: () => void,
  ) => void send(args).then(onDone, (failure) => failure instanceof TheirsKept && onTheirs?.());
  return { run, send, isPending, error, reset: () => setError(undefined) };
}
