// The command palette: any screen, any person by address or id, any thing by its id.

import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../api/queries.ts';
import { screens } from '../screens/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { words } from '../words/en.ts';
import { appPath } from './address.ts';
import { placeOfId } from './place-of-id.ts';
import { useSession } from './session-context.tsx';
import { useOpenApp } from './use-open-app.ts';

interface Found {
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon: IconName;
  readonly to: string;
}

const peopleShown = 8;

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const listId = useId();
  const found = useFound(text.trim());
  const chosen = found[Math.min(at, found.length - 1)];
  const choose = (one: Found | undefined) => {
    if (one === undefined) return;
    onClose();
    go(one.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setAt((found.length + Math.min(at, found.length - 1) + by) % Math.max(found.length, 1));
    }
    if (event.key === 'Enter') choose(chosen);
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette">
          <Dialog.Title className="sr-only">{words.palette.title}</Dialog.Title>
          <input
            className="palette-input"
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.key}`}
            aria-label={words.palette.title}
            placeholder={words.palette.placeholder}
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={listId} className="palette-list" role="listbox" aria-label={words.palette.title}>
            {found.length === 0 && <p className="palette-none">{words.palette.nothing}</p>}
            {found.map((one, index) => (
              <div
                key={one.key}
                id={`${listId}-${one.key}`}
                role="option"
                tabIndex={-1}
                aria-selected={one === chosen}
                className="popup-item"
                data-highlighted={one === chosen ? '' : undefined}
                onMouseMove={() => setAt(index)}
                onClick={() => choose(one)}
                onKeyDown={() => undefined}
              >
                <Icon name={one.icon} />
                <span className="ellipsis">{one.label}</span>
                <span className="end">{one.hint ?? one.group}</span>
              </div>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useFound(text: string): readonly Found[] {
  const app = useOpenApp();
  const { session } = useSession();
  const wanted = useDeferredValue(text);
  const isSearch = wanted.length >= 2 && app !== undefined;
  const people = useRead(
    'listSubscribers',
    {
      path: { appId: app?.id ?? '' },
      query:
        wanted.includes('@') || wanted.startsWith('+')
          ? { address: wanted, limit: peopleShown }
          : { externalUserId: wanted, limit: peopleShown },
    },
    { enabled: isSearch && placeOfId(app?.id ?? '', wanted) === undefined, keepPrevious: true },
  );
  const lower = text.toLowerCase();
  const byScreen = screens
    .filter(
      ({ title, isHidden, needs, group }) =>
        isHidden !== true &&
        title.toLowerCase().includes(lower) &&
        (needs === undefined || session.scopes.includes(needs)) &&
        (group === 'org' || app !== undefined),
    )
    .map(
      ({ id, title, icon, group }): Found => ({
        key: `screen-${group}-${id}`,
        group: words.palette.go,
        label: title,
        icon,
        to: appPath(group === 'org' ? 'org' : (app?.id ?? ''), id),
      }),
    );
  if (app === undefined) return byScreen;
  const direct = placeOfId(app.id, text);
  if (direct !== undefined)
    return [{ key: 'id', group: words.palette.open, label: text, icon: 'right', to: direct }];
  const byPerson = (isSearch ? (people.data?.items ?? []) : []).map(
    ({ id, externalUserId, devices }): Found => ({
      key: id,
      group: words.palette.people,
      label: externalUserId ?? id,
      hint: devices.map(({ channel }) => channel).join(', '),
      icon: 'person',
      to: appPath(app.id, 'people', id),
    }),
  );
  return [...byPerson, ...byScreen];
}
