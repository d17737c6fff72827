// The draft of a journey's editor, saved by itself a moment after the last change. What the server
// does not take stays here and in the browser.

import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { keptKey } from '../../ui/kept-store.ts';
import { changedBody, createdBody, type Draft, draftOf, lacksOf } from './draft.ts';
import { emptyDraft } from './starters.ts';

export type JourneyTools = DraftTools<Draft, Journey>;

/** `journey`: `undefined` for a new one, which is made at its first save. */
export function useSavedDraft(
  journey: Journey | undefined,
  refused: string | undefined,
  onMade: (journey: Journey) => void,
): JourneyTools {
  const app = useApp();
  const create = useAct('createJourney');
  const update = useAct('updateJourney');
  const path = { appId: app.id };
  return useDraft<Draft, Journey>({
    autosave: true,
    saved: journey,
    start: emptyDraft,
    draftOf,
    keptAs: (one) => keptKey('journey', app.id, one?.id ?? 'new'),
    restore: (kept) => (Array.isArray(kept.steps) ? (kept as Draft) : undefined),
    refused,
    isLacking: (draft) => lacksOf(draft) !== undefined,
    send: (draft, now, base) =>
      now === undefined
        ? create.mutateAsync({ path, body: createdBody(draft) })
        : update.mutateAsync({
            path: { ...path, id: now.id },
            body: changedBody(draft, journey?.active === true),
            base,
          }),
    onSaved: (made, isNew) => isNew && onMade(made),
  });
}
