// The dialog that adds a step, with what was copied as one more choice.

import { AddStep } from '../../canvas/add-step.tsx';
import type { Editing } from './use-editing.ts';
import { words } from './words.ts';

export function AddDialog({ editing }: { readonly editing: Editing }) {
  const { copied, gap } = editing;
  const first = copied?.[0];
  return (
    <AddStep
      isOpen={gap !== undefined}
      onClose={editing.closeAdd}
      onChoose={editing.add}
      more={
        copied === undefined || first === undefined
          ? []
          : [
              {
                id: 'paste',
                icon: 'copy',
                label: words.pasteStep,
                text: words.pasteText(first.id),
                onChoose: () => editing.paste(copied),
              },
            ]
      }
    />
  );
}
