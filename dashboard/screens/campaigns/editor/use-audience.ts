// The filter that counts a draft's audience; `undefined` for everybody.

import type { Filter } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import type { Draft } from './draft.ts';

export function useAudienceFilter({ audience, segmentId, filter }: Draft): Filter | undefined {
  const app = useApp();
  const isSegment = audience === 'segment' && segmentId !== undefined;
  const segment = useRead(
    'readSegment',
    { path: { appId: app.id, id: segmentId ?? '' } },
    { enabled: isSegment },
  );
  if (audience === 'filter') return filter;
  return isSegment ? segment.data?.filter : undefined;
}
