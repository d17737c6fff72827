// The rail at the left: every screen, in groups.

import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useSession } from '../api/session-context.tsx';
import { type Group, type Screen, screens } from '../screens/list.ts';
import { loaders } from '../screens/load.ts';
import { appPath } from '../ui/address.ts';
import { Icon } from '../ui/icon.tsx';
import { loadAhead } from '../ui/late.tsx';
import { words } from '../words/en.ts';
import { AppSwitch } from './app-switch.tsx';
import { useOpenApp } from './use-open-app.ts';

/** In the order of the rail. */
export const railGroups: readonly Group[] = [
  'overview',
  'audience',
  'outreach',
  'insight',
  'setup',
  'org',
];

export function Rail({ current }: { readonly current: Screen | undefined }) {
  return (
    <nav className="rail" aria-label={words.frame.main}>
      <AppSwitch />
      <RailList current={current} />
    </nav>
  );
}

/** Also in the sheet of a phone's bar. */
export function RailList({
  current,
  onGo,
}: {
  readonly current: Screen | undefined;
  readonly onGo?: () => void;
}) {
  const app = useOpenApp();
  const { session } = useSession();
  const shown = screens.filter(
    ({ isHidden, needs, group }) =>
      isHidden !== true &&
      (needs === undefined || session.scopes.includes(needs)) &&
      (group === 'org' || app !== undefined),
  );
  const list = useRef<HTMLDivElement>(null);
  // On a low window, or after a jump by keys, it may stand below the edge.
  useEffect(() => {
    if (current === undefined) return;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div className="rail-list" ref={list}>
      {railGroups.map((group) => {
        const some = shown.filter((screen) => screen.group === group);
        if (some.length === 0) return null;
        return (
          <div key={group} className="rail-group">
            {group !== 'overview' && <h2 className="rail-title">{words.groups[group]}</h2>}
            <ul>
              {some.map((screen) => (
                <li key={screen.id}>
                  <Link
                    to={appPath(group === 'org' ? 'org' : (app?.id ?? ''), screen.id)}
                    className="rail-link"
                    aria-current={screen === current ? 'page' : undefined}
                    onMouseEnter={() => void loadAhead(loaders[screen.id])}
                    onFocus={() => void loadAhead(loaders[screen.id])}
                    onClick={onGo}
                  >
                    <Icon name={screen.icon} />
                    {screen.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}
