// Journeys: the list, the starters, and the editor of one.

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { late } from '../../ui/late.tsx';
import { useNewEditor } from '../../ui/new-editor.ts';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { JourneyList } from './list.tsx';
import { Starters } from './start.tsx';
import { words } from './words.ts';

const JourneyEditor = late(
  () => import('./editor.tsx').then((file) => file.JourneyEditor),
  Waiting,
);

const newId = 'new';

export default function Journeys({ rest }: ScreenProps) {
  const app = useApp();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [id, what] = rest;
  const editor = useNewEditor(id, newId);
  if (id === undefined) return <JourneyList />;
  if (id === newId && what === undefined) return <NewJourney />;
  const isNew = id === newId;
  // A new journey gets its own address at its first save, and the editor stays as it is.
  return (
    <OpenJourney
      key={editor.key}
      id={isNew ? undefined : id}
      onMade={(journey) => {
        client.setQueryData(['readJourney', { path: { appId: app.id, id: journey.id } }], journey);
        editor.onMade(journey.id);
        go(appPath(app.id, 'journeys', journey.id) + location.search, { replace: true });
      }}
    />
  );
}

function NewJourney() {
  const app = useApp();
  return (
    <>
      <ScreenHead
        title={words.newTitle}
        crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
      />
      <div className="screen-body">
        <Starters />
      </div>
    </>
  );
}

function OpenJourney({
  id,
  onMade,
}: {
  /** `undefined` for one that is not saved yet. */
  readonly id: string | undefined;
  readonly onMade: (journey: Journey) => void;
}) {
  const app = useApp();
  const read = useRead(
    'readJourney',
    { path: { appId: app.id, id: id ?? '' } },
    { enabled: id !== undefined },
  );
  if (id === undefined || read.data !== undefined)
    return <JourneyEditor journey={id === undefined ? undefined : read.data} onMade={onMade} />;
  if (read.error === undefined) return <Waiting />;
  return (
    <WithHead>
      <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
    </WithHead>
  );
}

function Waiting() {
  return (
    <WithHead>
      <Grey />
    </WithHead>
  );
}

function WithHead({ children }: { readonly children: ReactNode }) {
  const app = useApp();
  return (
    <>
      <ScreenHead
        title={words.title}
        crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
      />
      <div className="screen-body">{children}</div>
    </>
  );
}
