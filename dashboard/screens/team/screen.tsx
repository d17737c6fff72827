// Team and keys: who may sign in, which programs may call, and who is signed in now.

import { useState } from 'react';
import { useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { AddMember } from './add-member.tsx';
import { CreateKey } from './create-key.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { SignIns } from './sign-ins.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'members', label: words.tabs.members },
  { id: 'keys', label: words.tabs.keys },
  { id: 'sign-ins', label: words.tabs.signIns },
] as const;

export default function Team() {
  const tab = useTab(tabs);
  const refused = useRefusal('admin');
  const [isOpen, setOpen] = useState(false);
  const create = () => (refused === undefined ? setOpen(true) : undefined);
  const label = tab === 'keys' ? words.key.create : words.member.add;
  useShortcuts(tab === 'sign-ins' ? [] : [{ keys: 'c', label, run: create }]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          tab !== 'sign-ins' && (
            <Button kind="primary" icon="plus" refused={refused} onClick={create}>
              {label}
            </Button>
          )
        }
      />
      <div className="screen-fill">
        <Tabs label={words.title} tabs={tabs} />
        <TabPanel id={tab}>
          {tab === 'members' && <Members onAdd={create} />}
          {tab === 'keys' && <Keys onCreate={create} />}
          {tab === 'sign-ins' && <SignIns />}
        </TabPanel>
      </div>
      {isOpen && tab === 'members' && <AddMember onClose={() => setOpen(false)} />}
      {isOpen && tab === 'keys' && <CreateKey onClose={() => setOpen(false)} />}
    </>
  );
}
