// A person's story, page by page. The live stream brings its first page, so that what happens
// appears by itself.

import type { StoryEntry } from '../../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../../api/live.ts';
import { useList } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { storyOf } from './person-lists.ts';

export function useStory(id: string) {
  const app = useApp();
  const isServed = useTopic(app.id, `person:${id}`);
  const list = useList('readTimeline', storyOf(app.id, id), { everyMs: !isServed && pollEveryMs });
  const now: readonly StoryEntry[] = list.first?.now ?? [];
  return { ...list, now };
}
