// The command palette: any screen or act, any person by address or id, any thing by name or id.

import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/en.ts';
import { type FoundPlace, useFound } from './found.ts';

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const listId = useId();
  const { found, isSearching } = useFound(text.trim());
  const chosen = found[Math.min(at, found.length - 1)];
  const optionId = chosen === undefined ? undefined : `${listId}-${chosen.key}`;
  useEffect(() => {
    if (optionId !== undefined)
      document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
  }, [optionId]);
  const choose = (one: FoundPlace | undefined) => {
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
            aria-activedescendant={optionId}
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
          <Found listId={listId} found={found} chosen={chosen} onPoint={setAt} onChoose={choose} />
          {found.length === 0 && (
            <p className="palette-none" role="status">
              {isSearching ? words.palette.searching : words.palette.nothing}
            </p>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Found({
  listId,
  found,
  chosen,
  onPoint,
  onChoose,
}: {
  readonly listId: string;
  readonly found: readonly FoundPlace[];
  readonly chosen: FoundPlace | undefined;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (one: FoundPlace) => void;
}) {
  return (
    <div id={listId} className="palette-list" role="listbox" aria-label={words.palette.title}>
      {found.map((one, index) => (
        <div
          key={one.key}
          id={`${listId}-${one.key}`}
          role="option"
          tabIndex={-1}
          aria-selected={one === chosen}
          className="popup-item"
          data-highlighted={one === chosen ? '' : undefined}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(one)}
          onKeyDown={() => undefined}
        >
          <Icon name={one.icon} />
          <span className="ellipsis">{one.label}</span>
          <span className="end">{one.hint}</span>
        </div>
      ))}
    </div>
  );
}
