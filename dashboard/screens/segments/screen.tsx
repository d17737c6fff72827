// Segments: the list, and the editor of one.

import type { ScreenProps } from '../screen-props.ts';
import { ReadSegment, SegmentEditor } from './editor.tsx';
import { SegmentList } from './list.tsx';

export default function Segments({ rest }: ScreenProps) {
  const [id] = rest;
  if (id === undefined) return <SegmentList />;
  if (id === 'new') return <SegmentEditor key="new" segment={undefined} />;
  return <ReadSegment key={id} id={id} />;
}
