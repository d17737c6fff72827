// The frame of an editor: its head with title, state and save; `mod+s`; the question before unsaved
// work is left; and the notes of what was typed before and why a save failed.

import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Shortcut, useShortcuts } from '../ui/keys.ts';
import { LeaveQuestion } from '../ui/leave-question.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { ScreenHead } from '../ui/screen.tsx';
import { words } from '../words/en.ts';
import type { DraftTools } from './draft.ts';

const text = words.draft;

type AnyDraft = DraftTools<unknown, unknown>;

interface Save {
  readonly label?: string;
  readonly refused: string | undefined;
  readonly isDisabled?: boolean;
  /** Instead of saving at once. */
  readonly run?: () => void;
}

export function EditorFrame({
  tools,
  save,
  lacking,
  aside,
  actions,
  keys = [],
  children,
  ...head
}: {
  readonly title: string;
  readonly crumb: { readonly to: string; readonly label: string };
  readonly tools: AnyDraft;
  /** The button that saves; `undefined` for an editor that saves by itself. */
  readonly save: Save | undefined;
  /** Why an editor that saves by itself does not do so yet. */
  readonly lacking?: string;
  /** Beside the title, before the state of the draft. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly keys?: readonly Shortcut[];
  readonly children: ReactNode;
}) {
  const { state, error, isDirtyNow } = tools;
  const isManual = save !== undefined;
  const run = save?.run ?? (() => void tools.save());
  const label = save?.label ?? words.dialog.save;
  useShortcuts([{ keys: 'mod+s', label, run }, ...keys]);
  const isOff = { refused: save?.refused, isDisabled: save?.isDisabled === true };
  return (
    <>
      <ScreenHead
        {...head}
        aside={
          <>
            {aside}
            {!isManual && <SaveState state={state} lacking={lacking} />}
            {isManual && tools.isDirty && <Badge tone="notice">{text.unsaved}</Badge>}
          </>
        }
        actions={
          <>
            {actions}
            {isManual && (
              <Button kind="primary" {...isOff} isBusy={state === 'saving'} onClick={run}>
                {label}
              </Button>
            )}
          </>
        }
      />
      {children}
      <LeaveQuestion
        isDirtyNow={() => (isManual || error !== undefined) && isDirtyNow()}
        isDirtyAtClose={() => (isManual || state !== 'lacking') && isDirtyNow()}
        isKept={tools.isKept}
        onDiscard={tools.discard}
      />
    </>
  );
}

function SaveState({
  state,
  lacking = text.lacking,
}: {
  readonly state: AnyDraft['state'];
  readonly lacking: string | undefined;
}) {
  return (
    <span className="save-status soft" role="status">
      {state === 'saved' && <Icon name="check" />}
      {{ ...text, lacking, changed: text.unsaved }[state]}
    </span>
  );
}

/** What the server says about a field stands at that field. */
export function DraftNotes({ tools, onAgain }: { tools: AnyDraft; onAgain?: () => void }) {
  const { error } = tools;
  return (
    <>
      <KeptNote tools={tools} />
      {error?.issues.length === 0 && <ErrorNote error={error} {...(onAgain && { onAgain })} />}
    </>
  );
}

export function KeptNote({ tools }: { readonly tools: AnyDraft }) {
  const { restored, isStorageFull, isDirty, discard } = tools;
  if (isStorageFull) return <Note tone="notice">{text.full}</Note>;
  if (restored === 'none' || !isDirty) return undefined;
  return (
    <Note tone={restored === 'stale' ? 'notice' : 'accent'}>
      <div className="row-between">
        <span>
          {text.restored} {restored === 'stale' && text.stale}
        </span>
        <Button size="small" onClick={discard}>
          {text.discardThem}
        </Button>
      </div>
    </Note>
  );
}
