// Who a campaign is for: in words, and as a filter that counts them.

import type { Campaign, Filter } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterSentence } from '../../filter/kinds.ts';
import { words } from './words.ts';

export function AudienceText({ segmentId, filter }: Pick<Campaign, 'segmentId' | 'filter'>) {
  if (segmentId !== null) return <SegmentName id={segmentId} />;
  return filter === null ? words.everybody : filterSentence(filter);
}

export function SegmentName({ id }: { readonly id: string }) {
  const app = useApp();
  const { data, error } = useRead('readSegment', { path: { appId: app.id, id } });
  if (data !== undefined) return data.name;
  return error === undefined ? null : id;
}

/** Of a draft; `undefined` for everybody. */
export function useAudienceFilter({
  audience,
  segmentId,
  filter,
}: {
  readonly audience: 'everybody' | 'segment' | 'filter';
  readonly segmentId: string | undefined;
  readonly filter: Filter | undefined;
}): Filter | undefined {
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

export function MessageName({ id }: { readonly id: string }) {
  const app = useApp();
  const { data, error } = useRead('readMessage', { path: { appId: app.id, id } });
  if (data !== undefined) return data.name ?? data.title ?? id;
  return error === undefined ? null : id;
}
