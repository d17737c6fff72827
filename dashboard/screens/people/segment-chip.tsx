// Says that only the people of a segment are shown, and leads out of it.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { IconButton } from '../../ui/button.tsx';
import { words } from './words.ts';

export function SegmentChip({
  id,
  onLeave,
}: {
  readonly id: string;
  readonly onLeave: () => void;
}) {
  const app = useApp();
  const { data } = useRead('readSegment', { path: { appId: app.id, id } });
  return (
    <span className="chip">
      <Link to={appPath(app.id, 'segments', id)}>{words.inSegment(data?.name ?? id)}</Link>
      <IconButton label={words.leaveSegment} icon="close" size="small" onClick={onLeave} />
    </span>
  );
}
