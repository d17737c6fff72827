// The editor of a thing that is a form, with what follows from it at the right. It is saved by its
// button and deleted by an action.

import type { ReactNode } from 'react';
import type { Action } from './action.ts';
import { ActionButton } from './action-view.tsx';
import type { DraftTools } from './draft.ts';
import { DraftNotes, EditorFrame } from './editor-frame.tsx';

export function FormEditor<Saved>({
  tools,
  saved,
  refused,
  remove,
  aside,
  children,
  ...head
}: {
  readonly title: string;
  readonly crumb: { readonly to: string; readonly label: string };
  readonly tools: DraftTools<unknown, unknown>;
  /** `undefined` for a new one. */
  readonly saved: Saved | undefined;
  /** Why this person cannot save. */
  readonly refused: string | undefined;
  readonly remove: Action<Saved>;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <EditorFrame
      {...head}
      tools={tools}
      save={{ refused }}
      actions={
        saved !== undefined && <ActionButton action={remove} thing={saved} onDone={tools.discard} />
      }
    >
      <div className="screen-body split">
        <fieldset className="stack" disabled={refused !== undefined}>
          <DraftNotes tools={tools} />
          {children}
        </fieldset>
        {aside}
      </div>
    </EditorFrame>
  );
}
