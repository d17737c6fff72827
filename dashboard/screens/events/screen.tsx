// Events: the stream of what people do, and the catalogue of names and properties.

import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { Catalogue } from './catalogue.tsx';
import { Tail } from './tail.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'tail', label: words.tail },
  { id: 'catalogue', label: words.catalogue },
] as const;

export default function Events() {
  const tab = useTab(tabs);
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-bar">
        <Tabs label={words.tabs} tabs={tabs} />
      </div>
      <TabPanel id={tab} isFilling>
        {tab === 'tail' ? <Tail /> : <Catalogue />}
      </TabPanel>
    </>
  );
}
