// Adds the sample people in one call.

import { useAct } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { tellDone } from '../ui/toast.tsx';
import { personWords } from '../words/person.ts';
import { samplePeople } from './sample-people.ts';

export function useAddSample(onAdded?: () => void) {
  const app = useApp();
  const { mutate, isPending, error } = useAct('importSubscribers');
  const add = () =>
    mutate(
      { query: {}, body: { appId: app.id, rows: samplePeople() } },
      {
        onSuccess: ({ created, updated }) => {
          tellDone(personWords.sampleDone(created + updated));
          onAdded?.();
        },
      },
    );
  return { add, isPending, error };
}
