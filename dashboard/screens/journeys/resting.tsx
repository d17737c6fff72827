// Why a journey that is not live rests: it is archived, or another one took its place.

import { Link } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { ActionButton } from '../../kit/action-view.tsx';
import { appPath } from '../../ui/address.ts';
import { Note } from '../../ui/note.tsx';
import { unarchive } from './menu.tsx';
import { words } from './words.ts';

export function RestingNotes({ journey }: { readonly journey: Journey }) {
  const { archivedAt, replacedBy } = journey;
  if (archivedAt === null && replacedBy === null) return null;
  return (
    <div className="journey-notes">
      {archivedAt !== null && <Archived journey={journey} />}
      {replacedBy !== null && <Successor id={replacedBy} />}
    </div>
  );
}

function Archived({ journey }: { readonly journey: Journey }) {
  return (
    <Note icon="lock">
      <div className="row-between">
        <span>{words.frozenArchived}</span>
        <ActionButton action={unarchive} thing={journey} size="small" />
      </div>
    </Note>
  );
}

/** Nothing once that one is deleted. */
function Successor({ id }: { readonly id: string }) {
  const app = useApp();
  const { data } = useRead('readJourney', { path: { appId: app.id, id } });
  if (data === undefined) return null;
  return (
    <Note>
      <Link to={appPath(app.id, 'journeys', id)}>{words.replacedBy(data.name)}</Link>
    </Note>
  );
}
