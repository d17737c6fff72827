// The editor of a journey: its state, and what stands where. The parts are beside this file.

import { useMemo, useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { placeIssues } from '../../canvas/issues.ts';
import { findStep } from '../../canvas/model.ts';
import { triggerKey } from '../../canvas/outline.ts';
import type { JourneyView } from '../../canvas/outline.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { AddDialog } from './add-dialog.tsx';
import { type Draft, draftOf } from './draft.ts';
import { EditorHead } from './editor-head.tsx';
import { JourneyNotes } from './journey-notes.tsx';
import { Panels } from './panels.tsx';
import { SaveNote } from './save-status.tsx';
import { useTriggerText } from './trigger.tsx';
import { useDraft } from './use-draft.ts';
import { useEditing } from './use-editing.ts';
import { useFigures } from './use-figures.ts';
import { useMessageNames } from './use-message-names.ts';
import { Workbench } from './workbench.tsx';

const noIds: ReadonlySet<string> = new Set();

export function JourneyEditor({
  journey,
  initial,
  onMade = () => undefined,
}: {
  readonly journey: Journey | undefined;
  /** Of a new one. */
  readonly initial?: Draft;
  readonly onMade?: (journey: Journey) => void;
}) {
  const mayWrite = useRefusal('write') === undefined && !isArchived(journey);
  const [start] = useState(() => initial ?? draftOf(journey as Journey));
  const tools = useDraft(journey, start, onMade);
  const { draft, state } = tools;
  const isFrozen = journey?.active === true || !mayWrite;
  const [stepParam, setStep] = useQueryParam('step');
  const [panel, setPanel] = useQueryParam('panel');
  const found = findStep(draft.steps, stepParam);
  const [visited, setVisited] = useState<ReadonlySet<string>>(noIds);
  const editing = useEditing({ tools, found, isFrozen, select: setStep, showPanel: setPanel });
  const issues = useMemo(
    () => placeIssues(draft.steps, tools.error?.issues ?? []),
    [draft.steps, tools.error],
  );
  const figures = useFigures(journey);
  const isStarting = panel === undefined || panel === 'settings';
  const view: JourneyView = {
    steps: draft.steps,
    trigger: useTriggerText(draft),
    names: useMessageNames(draft.steps),
    wrong: new Set(issues.bySteps.keys()),
    visited: panel === 'try' ? visited : noIds,
    figures: figures.bySteps,
    selected: found?.step.id ?? (isStarting ? triggerKey : undefined),
    onSelect: editing.open,
    onAdd: isFrozen ? undefined : editing.askAdd,
  };
  return (
    <>
      <EditorHead journey={journey} tools={tools} stats={figures.stats} />
      <SaveNote tools={tools} rest={issues.rest} />
      {journey !== undefined && <JourneyNotes journey={journey} />}
      <Workbench
        view={view}
        editing={editing}
        tools={tools}
        isFrozen={isFrozen}
        panels={
          <Panels
            journey={journey}
            tools={tools}
            found={found}
            issues={issues}
            isFrozen={isFrozen}
            editing={editing}
            figures={figures}
            onVisit={setVisited}
          />
        }
      />
      <AddDialog editing={editing} />
      <LeaveQuestion
        isDirtyNow={() => state === 'refused'}
        isDirtyAtClose={() => state === 'saving' || (state === 'changed' && mayWrite)}
        onDiscard={tools.drop}
      />
    </>
  );
}

function isArchived(journey: Journey | undefined): boolean {
  return journey !== undefined && journey.archivedAt !== null;
}
