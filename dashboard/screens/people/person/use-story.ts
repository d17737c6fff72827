// A person's story, page by page. It is asked for again while it is looked at, so that what happens
// appears by itself.

import type { StoryEntry } from '../../../api/generated.ts';
import { useList } from '../../../api/queries.ts';
import { useApp } from '../../../frame/session-context.tsx';

const everyMs = 5_000;
const pageItems = 50;

export function useStory(id: string) {
  const app = useApp();
  const path = { appId: app.id, id };
  const list = useList('readTimeline', { path, query: { limit: pageItems } }, { everyMs });
  const now: readonly StoryEntry[] = list.first?.now ?? [];
  return { ...list, now };
}
