// What starts a journey, in words.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { words } from './words.ts';

interface TriggerOf {
  readonly triggerEvent: string | null;
  readonly triggerSegmentId: string | null;
}

/** The sentence; a segment's id until its name is known. */
export function useTriggerText({ triggerEvent, triggerSegmentId }: TriggerOf): string {
  const app = useApp();
  const segment = useRead(
    'readSegment',
    { path: { appId: app.id, id: triggerSegmentId ?? '' } },
    { enabled: triggerSegmentId !== null },
  );
  if (triggerSegmentId !== null) return words.when.segment(segment.data?.name ?? triggerSegmentId);
  return triggerEvent === null || triggerEvent === ''
    ? words.when.none
    : words.when.event(triggerEvent);
}

export function Trigger(trigger: TriggerOf) {
  return useTriggerText(trigger);
}
