// The app that is open, and a menu of the others.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRefusal, useSession } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { late } from '../ui/late.tsx';
import { Menu } from '../ui/menu.tsx';
import { words } from '../words/en.ts';
import { Logo } from './logo.tsx';
import { useOpenApp } from './use-open-app.ts';

const NewAppForm = late(() => import('./new-app.tsx').then((file) => file.NewAppForm));

export function AppSwitch() {
  const { session } = useSession();
  const app = useOpenApp();
  const [, go] = useLocation();
  const [isMaking, setMaking] = useState(false);
  const refused = useRefusal('admin');
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="app-switch">
            <Logo url={session.branding.logoUrl} name={session.branding.productName} />
            <span className="grow">
              <span className="ellipsis app-switch-app">{app?.name ?? words.frame.chooseApp}</span>
              <span className="ellipsis soft">{session.org.name}</span>
            </span>
            <Icon name="down" />
          </button>
        }
        items={[
          { heading: words.frame.app },
          ...session.apps.map((one) => ({
            label: one.name,
            isChecked: one.id === app?.id,
            onChoose: () => go(appPath(one.id, 'home')),
          })),
          { line: 'end' },
          { label: words.frame.newApp, icon: 'plus', refused, onChoose: () => setMaking(true) },
        ]}
      />
      <Dialog title={words.frame.newApp} isOpen={isMaking} onClose={() => setMaking(false)}>
        <NewAppForm onMade={() => setMaking(false)} />
      </Dialog>
    </>
  );
}
