// Journeys: the list, the starters, and the editor of one.

import { useLocation } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { appPath } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import type { ScreenProps } from '../index.ts';
import { JourneyEditor } from './editor.tsx';
import { JourneyList } from './list.tsx';
import { Starters } from './start.tsx';
import { emptyDraft } from './starters.ts';
import { words } from './words.ts';

export default function Journeys({ rest }: ScreenProps) {
  const app = useApp();
  const [, go] = useLocation();
  const [id, what] = rest;
  if (id === undefined) return <JourneyList />;
  if (id === 'new' && what === undefined) return <NewJourney />;
  if (id === 'new')
    return (
      <JourneyEditor
        key="new"
        journey={undefined}
        initial={emptyDraft}
        onMade={({ id: madeId }) =>
          go(appPath(app.id, 'journeys', madeId) + location.search, { replace: true })
        }
      />
    );
  return <ReadJourney key={id} id={id} />;
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

function ReadJourney({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readJourney', { path: { appId: app.id, id } });
  const journey: Journey | undefined = read.data;
  if (journey !== undefined) return <JourneyEditor journey={journey} />;
  return (
    <>
      <ScreenHead
        title={words.title}
        crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
      />
      <div className="screen-body">
        {read.error === undefined ? (
          <Grey />
        ) : (
          <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
        )}
      </div>
    </>
  );
}
