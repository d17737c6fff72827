// The known names of events, to choose from.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { eventSuggestions } from '../../ui/event-names.ts';
import type { Suggestion } from '../../ui/suggestions.tsx';

export function useEventNames(): readonly Suggestion[] {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  return eventSuggestions(fields.data);
}
