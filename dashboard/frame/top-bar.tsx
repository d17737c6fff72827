// The bar above the screen: search, help, and the signed-in person.

import { useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { signIn } from '../api/session.ts';
import { useSession } from '../api/session-context.tsx';
import type { MenuItem } from '../ui/above-page.ts';
import { Key } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { keyCaps } from '../ui/keys.ts';
import { late } from '../ui/late.tsx';
import { useIsNarrow } from '../ui/media.ts';
import { Menu } from '../ui/menu.tsx';
import { tellError } from '../ui/toast.tsx';
import { words } from '../words/en.ts';
import { AppSwitch } from './app-switch.tsx';
import type { Ending } from './leave-org.tsx';

const LeaveOrg = late(() => import('./leave-org.tsx').then((file) => file.LeaveOrg));

export function TopBar({
  onSearch,
  onKeys,
}: {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
}) {
  const isNarrow = useIsNarrow();
  return (
    <header className="top-bar">
      {isNarrow ? (
        <>
          <div className="grow">
            <AppSwitch />
          </div>
          <IconButton label={words.frame.search} icon="search" onClick={onSearch} />
        </>
      ) : (
        <button type="button" className="search-open" onClick={onSearch}>
          <Icon name="search" />
          <span className="grow">{words.frame.search}</span>
          <Key>{keyCaps('mod+k').join('')}</Key>
        </button>
      )}
      {!isNarrow && <span className="grow" />}
      {!isNarrow && (
        <Menu
          trigger={
            <button type="button" className="button quiet icon-only" aria-label={words.frame.help}>
              <Icon name="help" />
            </button>
          }
          items={[
            { label: words.frame.keys, hint: '?', onChoose: onKeys },
            { label: words.frame.reference, icon: 'code', onChoose: () => open('/docs', '_blank') },
          ]}
        />
      )}
      <AccountMenu />
    </header>
  );
}

/** Of the oldest invitations: the rest show once these are answered. */
const invitationsShown = 5;

function AccountMenu() {
  const { session, leave, reload } = useSession();
  const [ending, setEnding] = useState<Ending>();
  const name = session.member?.email ?? session.key?.name ?? '';
  const others = session.orgs.filter(({ id }) => id !== session.org.id);
  const change = (org: string) =>
    signIn({ org }).then(
      () => {
        location.assign('/dashboard');
        return reload();
      },
      (error: unknown) => tellError(asApiError(error).message),
    );
  const invitations = session.invitations.slice(0, invitationsShown);
  const leaving: MenuItem[] =
    session.member === undefined
      ? []
      : [{ label: words.frame.leaveOrg, onChoose: () => setEnding({ org: session.org }) }];
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={`${words.frame.account}: ${name}`}
          >
            <span className="initial" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
          </button>
        }
        items={[
          { heading: name },
          ...(others.length === 0 ? [] : [{ heading: words.frame.switchOrg }]),
          ...others.map((org) => ({ label: org.name, onChoose: () => void change(org.id) })),
          ...invitations.flatMap((org): MenuItem[] => [
            { heading: words.frame.invitedBy(org.name) },
            { label: words.frame.accept(org.name), onChoose: () => void change(org.id) },
            {
              label: words.frame.decline(org.name),
              onChoose: () => setEnding({ org, isInvitation: true }),
            },
          ]),
          { line: 'end' },
          ...leaving,
          { label: words.frame.signOut, icon: 'leave', onChoose: leave },
        ]}
      />
      {ending !== undefined && <LeaveOrg {...ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}
