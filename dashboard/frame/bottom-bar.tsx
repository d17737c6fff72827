// A phone's bar: four screens, and all others in a sheet.

import { useState } from 'react';
import { Link } from 'wouter';
import { type Screen, screens } from '../screens/list.ts';
import { appPath } from '../ui/address.ts';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/en.ts';
import { RailList } from './rail.tsx';
import { useOpenApp } from './use-open-app.ts';

export const inBar = ['home', 'people', 'campaigns', 'activity'];

export function BottomBar({ current }: { readonly current: Screen | undefined }) {
  const app = useOpenApp();
  const [isOpen, setOpen] = useState(false);
  const shown = app === undefined ? [] : screens.filter(({ id }) => inBar.includes(id));
  return (
    <nav className="bottom-bar" aria-label={words.frame.main}>
      {shown.map((screen) => (
        <Link
          key={screen.id}
          to={appPath(app?.id ?? '', screen.id)}
          className="bottom-link"
          aria-current={screen === current ? 'page' : undefined}
        >
          <Icon name={screen.icon} large />
          {screen.title}
        </Link>
      ))}
      <button
        type="button"
        className={classNames('bottom-link')}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" large />
        {words.frame.more}
      </button>
      <Dialog title={words.frame.main} isOpen={isOpen} onClose={() => setOpen(false)} kind="drawer">
        <RailList current={current} onGo={() => setOpen(false)} />
      </Dialog>
    </nav>
  );
}
