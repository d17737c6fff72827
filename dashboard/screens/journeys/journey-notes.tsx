// What stands above a journey's drawing: what was typed before, why it is not saved, that it is
// live, its warnings, and who rests.

import type { Journey } from '../../api/generated.ts';
import { KeptNote } from '../../kit/editor-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { type Lacks, lacksOf } from './draft.ts';
import { FrozenNote } from './frozen.tsx';
import { RestingNotes } from './resting.tsx';
import type { JourneyTools } from './use-saved-draft.ts';
import { WarningsNote } from './warnings.tsx';
import { words } from './words.ts';

const text = words.save;

export function JourneyNotes({
  journey,
  tools,
  rest,
}: {
  readonly journey: Journey | undefined;
  readonly tools: JourneyTools;
  /** What the server said and what stands at no step. */
  readonly rest: readonly { readonly field: string; readonly error: string }[];
}) {
  const { draft, error, state, save } = tools;
  const lacks = lacksOf(draft);
  const isSilent = error !== undefined && rest.length === 0 && error.issues.length > 0;
  return (
    <>
      <div className="journey-notes">
        <KeptNote tools={tools} />
        {state === 'refused' && error !== undefined && (
          <Note tone="bad">
            <div className="row-between">
              <span>
                {text.errors} {isSilent ? error.issues[0]?.error : error.message}
              </span>
              <Button size="small" icon="refresh" onClick={() => void save()}>
                {text.again}
              </Button>
            </div>
          </Note>
        )}
        {state === 'lacking' && lacks && <Note tone="notice">{lacksText(lacks)}</Note>}
      </div>
      {journey?.active === true && <FrozenNote journey={journey} />}
      {journey !== undefined && <WarningsNote journey={journey} />}
      {journey !== undefined && <RestingNotes journey={journey} />}
    </>
  );
}

function lacksText({ steps, trigger, anyStep }: Lacks): string {
  return [trigger && text.noTrigger, anyStep && text.noStep, steps > 0 && text.missing(steps)]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
