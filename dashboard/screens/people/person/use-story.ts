// A person's story, page by page. The live stream brings its first page, so that what happens
// appears by itself.

import type { StoryEntry } from '../../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../../api/live.ts';
import { useList } from '../../../api/queries.ts';
import { useApp } from '../../../frame/session-context.tsx';

/** As many as the stream brings. */
const pageItems = 50;

export function useStory(id: string) {
  const app = useApp();
  const path = { appId: app.id, id };
  const isServed = useTopic(app.id, `person:${id}`);
  const list = useList(
    'readTimeline',
    { path, query: { limit: pageItems } },
    { everyMs: !isServed && pollEveryMs },
  );
  const now: readonly StoryEntry[] = list.first?.now ?? [];
  return { ...list, now };
}
