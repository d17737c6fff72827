// The dialog that adds a step, with what was copied as one more choice.

import { useEffect, useRef } from 'react';
import { AddStep } from '../../canvas/add-step.tsx';
import { firstOfPanel } from './panel-focus.ts';
import type { Editing } from './use-editing.ts';
import { words } from './words.ts';

export function AddDialog({ editing }: { readonly editing: Editing }) {
  const { copied, gap } = editing;
  const first = copied?.[0];
  // What was added has fields to fill in; without, the keys go on where they were.
  const hasAdded = useRef(false);
  useEffect(() => {
    if (gap !== undefined) hasAdded.current = false;
  }, [gap]);
  return (
    <AddStep
      isOpen={gap !== undefined}
      onClose={editing.closeAdd}
      onChoose={(kind) => {
        hasAdded.current = true;
        editing.add(kind);
      }}
      focusAfter={() => (hasAdded.current ? firstOfPanel() : undefined)}
      more={
        copied === undefined || first === undefined
          ? []
          : [
              {
                id: 'paste',
                icon: 'copy',
                label: words.pasteStep,
                text: words.pasteText(first.id),
                onChoose: () => {
                  hasAdded.current = true;
                  editing.paste(copied);
                },
              },
            ]
      }
    />
  );
}
