// Whether the draft is saved; if not, why, and where it is kept.

import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note } from '../../ui/note.tsx';
import type { Lacks } from './draft.ts';
import type { DraftTools } from './use-draft.ts';
import { words } from './words.ts';

const text = words.save;

export function SaveStatus({ tools: { state } }: { readonly tools: DraftTools }) {
  const isKept = state === 'refused' || state === 'lacking';
  return (
    <span className="save-status soft" role="status">
      {state === 'saved' && <Icon name="check" />}
      {isKept ? text.kept : text[state as 'saved' | 'saving' | 'changed']}
    </span>
  );
}

/** What the server said, or what must be filled in, unless it stands at a step. */
export function SaveNote({
  tools,
  rest,
}: {
  readonly tools: DraftTools;
  readonly rest: readonly { readonly field: string; readonly error: string }[];
}) {
  const { error, lacks, state, isRestored } = tools;
  const isSilent = error !== undefined && rest.length === 0 && error.issues.length > 0;
  return (
    <div className="journey-notes">
      {isRestored && (
        <Note tone="accent">
          <div className="row-between">
            <span>{text.restored}</span>
            <Button size="small" onClick={tools.drop}>
              {text.drop}
            </Button>
          </div>
        </Note>
      )}
      {error !== undefined && (
        <Note tone="bad">
          <div className="row-between">
            <span>
              {text.errors} {isSilent ? error.issues[0]?.error : error.message}
            </span>
            <Button size="small" icon="refresh" onClick={tools.retry}>
              {text.again}
            </Button>
          </div>
        </Note>
      )}
      {state === 'lacking' && lacks !== undefined && <Note tone="notice">{lacksText(lacks)}</Note>}
    </div>
  );
}

function lacksText({ steps, trigger, anyStep }: Lacks): string {
  return [trigger && text.noTrigger, anyStep && text.noStep, steps > 0 && text.missing(steps)]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
