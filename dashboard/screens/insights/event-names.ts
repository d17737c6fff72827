// Names of the app's events, with how many people sent each, to choose from.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../frame/session-context.tsx';
import type { Suggestion } from '../../ui/combobox.tsx';
import { count } from '../../ui/figure.tsx';

export function useEventNames(): readonly Suggestion[] {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  return (fields.data?.events ?? []).map(({ name, people }) => ({
    value: name,
    hint: count(people),
  }));
}
