// Events: the stream of what people do, and the catalog of names and properties.

import { useQueryParam } from '../../frame/address.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { Catalog } from './catalog.tsx';
import { Snippets } from './snippets.tsx';
import { Tail } from './tail.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'tail', label: words.tail },
  { id: 'catalog', label: words.catalog },
] as const;

export default function Events() {
  const tab = useTab(tabs);
  const [how, setHow] = useQueryParam('how');
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button icon="code" onClick={() => setHow('1')}>
            {words.snippets.title}
          </Button>
        }
      />
      <Dialog
        title={words.snippets.title}
        isOpen={how !== undefined}
        onClose={() => setHow(undefined)}
      >
        <Snippets />
      </Dialog>
      <div className="screen-bar">
        <Tabs label={words.tabs} tabs={tabs} />
      </div>
      <TabPanel id={tab} isFilling>
        {tab === 'tail' ? <Tail /> : <Catalog />}
      </TabPanel>
    </>
  );
}
