// All keys that work now, and the switch for single letters.

import { useState } from 'react';
import { Key } from '../ui/badge.tsx';
import { Toggle } from '../ui/choices.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { activeShortcuts, keyCaps, lettersAreOn, type Shortcut, setLetters } from '../ui/keys.ts';
import { words } from '../words/en.ts';

type Shown = Pick<Shortcut, 'keys' | 'label'>;

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(lettersAreOn);
  const active: readonly Shown[] = activeShortcuts();
  const screens = active.filter(({ keys }) => keys.startsWith('g '));
  const hasRows = active.some(({ keys }) => keys === 'j');
  const here = [
    ...active.filter((one) => !screens.includes(one) && one.keys !== 'mod+enter'),
    ...(hasRows ? [{ keys: 'Enter', label: words.table.open }] : []),
  ];
  return (
    <Dialog title={words.frame.keys} isOpen onClose={onClose} isWide>
      <div className="row-between">
        <span>{words.frame.letters}</span>
        <Toggle
          label={words.frame.letters}
          isOn={areOn}
          onChange={(isOn) => {
            setLetters(isOn);
            setOn(isOn);
          }}
        />
      </div>
      <div className="keys-help">
        <Keys title={words.frame.keysHere} shown={here} />
        <Keys title={words.palette.go} shown={screens} />
      </div>
    </Dialog>
  );
}

function Keys({ title, shown }: { readonly title: string; readonly shown: readonly Shown[] }) {
  return (
    <section className="stack-tight">
      <h3>{title}</h3>
      <dl className="facts">
        {shown.map(({ keys, label }) => (
          <div key={keys} className="fact">
            <dt className="keys">
              {keyCaps(keys).map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
