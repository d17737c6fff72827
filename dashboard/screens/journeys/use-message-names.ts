// The names of the saved messages that a journey sends.

import { useQueries } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useApp } from '../../api/session-context.tsx';
import { nameOf } from '../../canvas/message-field.tsx';
import { allSteps, type Step } from '../../canvas/model.ts';

export function useMessageNames(steps: readonly Step[]): ReadonlyMap<string, string> {
  const app = useApp();
  const ids = new Set(
    allSteps(steps).flatMap(({ step }) =>
      step.type === 'send' && step.messageId ? [step.messageId] : [],
    ),
  );
  const read = useQueries({
    queries: [...ids].map((id) => {
      const args = { path: { appId: app.id, id } };
      return {
        queryKey: ['readMessage', args] as const,
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          call('readMessage', args, { signal }),
      };
    }),
  });
  return new Map(read.flatMap(({ data }) => (data === undefined ? [] : [[data.id, nameOf(data)]])));
}
