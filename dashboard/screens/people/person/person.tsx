// One person: facts at the left, their story at the right.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Subscriber } from '../../../api/generated.ts';
import { useListAhead, useRead } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { ActionMenu } from '../../../kit/action-view.tsx';
import { personId, personName } from '../../../person/person-ref.ts';
import { appPath } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { useShortcuts } from '../../../ui/keys.ts';
import { useIsNarrow } from '../../../ui/media.ts';
import { ErrorNote, Grey } from '../../../ui/note.tsx';
import { ScreenHead } from '../../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../../ui/tabs.tsx';
import { Devices } from './devices.tsx';
import { erase } from './erase.ts';
import { Identity } from './identity.tsx';
import { segmentsOf, storyOf } from './person-lists.ts';
import { Preferences } from './preferences.tsx';
import { Segments } from './segments.tsx';
import { SendTest } from './send-test.tsx';
import { PersonStory } from './story.tsx';
import { Tags } from './tags.tsx';
import { TopicChoices } from './topics.tsx';
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
  const [isTesting, setTesting] = useState(false);
  const refusedTest = useRefusal('send', 'write');
  useShortcuts([
    { keys: 't', label: words.sendTest, run: () => refusedTest ?? setTesting(true) },
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
            <ActionMenu isEdited label={words.more} actions={[erase]} thing={person} />
            <Button
              kind="primary"
              icon="send"
              refused={refusedTest}
              onClick={() => setTesting(true)}
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
      {isTesting && <SendTest person={person} onClose={() => setTesting(false)} />}
    </>
  );
}

function Facts({ person }: { readonly person: Subscriber }) {
  return (
    <div className="stack">
      <Identity person={person} />
      <Devices person={person} />
      <Tags person={person} />
      <TopicChoices person={person} />
      <Preferences person={person} />
      <Segments person={person} />
    </div>
  );
}
