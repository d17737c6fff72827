// The activity of sends: a list that stays current, what failed, and the story of one send.

import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { Failures } from './failures.tsx';
import { OneSend } from './one-send.tsx';
import { Sends } from './sends.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'sends', label: words.sends },
  { id: 'failures', label: words.failures },
] as const;

export default function Activity({ rest }: ScreenProps) {
  const tab = useTab(tabs);
  const [id] = rest;
  if (id !== undefined) return <OneSend id={id} />;
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-bar">
        <Tabs label={words.tabs} tabs={tabs} />
      </div>
      <TabPanel id={tab} isFilling>
        {tab === 'sends' ? <Sends /> : <Failures />}
      </TabPanel>
    </>
  );
}
