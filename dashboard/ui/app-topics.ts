// All topics of the app, for what names one: there are at most 200, which is one page.

import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';

export function useAppTopics() {
  const app = useApp();
  const query = { order: 'oldest', limit: 200 } as const;
  return useRead('listTopics', { path: { appId: app.id }, query });
}
