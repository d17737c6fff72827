// All keys that work now, and the switch for single letters.

import { useState } from 'react';
import { Key } from '../ui/badge.tsx';
import { Toggle } from '../ui/choices.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/en.ts';
import { activeShortcuts, lettersAreOn, setLetters } from './keys.ts';

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(lettersAreOn);
  return (
    <Dialog title={words.frame.keys} isOpen onClose={onClose}>
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
      <dl className="facts">
        {activeShortcuts().map(({ keys, label }) => (
          <div key={keys} className="fact">
            <dt>
              {keys.split(' ').map((key) => (
                <Key key={key}>{key.replace('mod+', 'Ctrl ')}</Key>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
