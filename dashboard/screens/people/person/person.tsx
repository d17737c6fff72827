// One person: facts at the left, their story at the right.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Subscriber } from '../../../api/generated.ts';
import { useListAhead, useRead } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { personId, personName } from '../../../person/person-ref.ts';
import { appPath } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useShortcuts } from '../../../ui/keys.ts';
import { useIsNarrow } from '../../../ui/media.ts';
import { Menu } from '../../../ui/menu.tsx';
import { ErrorNote, Grey } from '../../../ui/note.tsx';
import { ScreenHead } from '../../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../../ui/tabs.tsx';
import { Devices } from './devices.tsx';
import { Erase } from './erase.tsx';
import { Identity } from './identity.tsx';
import { segmentsOf, storyOf } from './person-lists.ts';
import { Preferences } from './preferences.tsx';
import { Segments } from './segments.tsx';
import { SendTest } from './send-test.tsx';
import { PersonStory } from './story.tsx';
import { Tags } from './tags.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'story', label: words.showStory },
  { id: 'facts', label: words.showFacts },
] as const;

interface Named {
  readonly id: string;
}

/** An address may name the person by their external id; their lists are asked for by their own. */
export function Person({ id }: Named) {
  return (
    <>
      {id.startsWith('sub_') && <ListsAhead id={id} />}
      <Read id={id} />
    </>
  );
}

function ListsAhead({ id }: Named) {
  const app = useApp();
  useListAhead('readTimeline', storyOf(app.id, id));
  useListAhead('listSubscriberSegments', segmentsOf(app.id, id));
  return null;
}

function Read({ id }: Named) {
  const app = useApp();
  const read = useRead('readSubscriber', { path: { appId: app.id, id } });
  const crumb = { to: appPath(app.id, 'people'), label: words.people };
  if (read.data !== undefined) return <PersonPage person={read.data} crumb={crumb} />;
  return (
    <>
      <ScreenHead title={words.loading} crumb={crumb} />
      <div className="screen-body">
        {read.error === undefined ? (
          <Grey rows={8} />
        ) : (
          <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
        )}
      </div>
    </>
  );
}

function PersonPage({
  person,
  crumb,
}: {
  readonly person: Subscriber;
  readonly crumb: { readonly to: string; readonly label: string };
}) {
  const [, go] = useLocation();
  const isNarrow = useIsNarrow();
  const tab = useTab(tabs);
  const [asking, setAsking] = useState<'test' | 'erase'>();
  const refusedTest = useRefusal('send', 'write');
  const refusedErase = useRefusal('write');
  useShortcuts([
    { keys: 't', label: words.sendTest, run: () => refusedTest ?? setAsking('test') },
    { keys: 'Escape', label: words.people, run: () => go(crumb.to) },
  ]);
  const story = <PersonStory person={person} />;
  const facts = <Facts person={person} />;
  return (
    <>
      <ScreenHead
        title={personName(person)}
        {...(person.displayName === null
          ? {}
          : { aside: <span className="soft">{personId(person)}</span> })}
        crumb={crumb}
        actions={
          <>
            <Menu
              trigger={
                <button type="button" className="button icon-only" aria-label={words.more}>
                  <Icon name="more" />
                </button>
              }
              items={[
                {
                  label: words.erase,
                  icon: 'trash',
                  isDanger: true,
                  refused: refusedErase,
                  onChoose: () => setAsking('erase'),
                },
              ]}
            />
            <Button
              kind="primary"
              icon="send"
              refused={refusedTest}
              onClick={() => setAsking('test')}
            >
              {words.sendTest}
            </Button>
          </>
        }
      />
      <div className="screen-body">
        {isNarrow ? (
          <div className="stack">
            <Tabs label={personName(person)} tabs={tabs} />
            <TabPanel id={tab}>{tab === 'story' ? story : facts}</TabPanel>
          </div>
        ) : (
          <div className="person">
            {facts}
            {story}
          </div>
        )}
      </div>
      {asking === 'test' && <SendTest person={person} onClose={() => setAsking(undefined)} />}
      <Erase
        person={person}
        isOpen={asking === 'erase'}
        onClose={() => setAsking(undefined)}
        onErased={() => go(crumb.to)}
      />
    </>
  );
}

function Facts({ person }: { readonly person: Subscriber }) {
  return (
    <div className="stack">
      <Identity person={person} />
      <Devices person={person} />
      <Tags person={person} />
      <Preferences person={person} />
      <Segments person={person} />
    </div>
  );
}
