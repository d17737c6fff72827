// The editor of a journey: its state, and what stands where. The parts are beside this file.

import { useMemo, useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { placeIssues } from '../../canvas/issues.ts';
import { findStep } from '../../canvas/model.ts';
import { triggerKey } from '../../canvas/outline.ts';
import type { JourneyView } from '../../canvas/outline.tsx';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { AddDialog } from './add-dialog.tsx';
import { type Draft, draftOf } from './draft.ts';
import { FrozenNote } from './frozen.tsx';
import { JourneyMenu } from './menu.tsx';
import { Panels } from './panels.tsx';
import { RestingNotes } from './resting.tsx';
import { SaveNote, SaveStatus } from './save-status.tsx';
import { SwitchButton } from './switch.tsx';
import { useTriggerText } from './trigger.tsx';
import { useDraft } from './use-draft.ts';
import { useEditing } from './use-editing.ts';
import { useFigures } from './use-figures.ts';
import { useMessageNames } from './use-message-names.ts';
import { WarningsNote } from './warnings.tsx';
import { words } from './words.ts';
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
  const app = useApp();
  const isReader = useRefusal('write') !== undefined;
  const [start] = useState(() => initial ?? draftOf(journey as Journey));
  const tools = useDraft(journey, start, onMade);
  const { draft, state } = tools;
  const isLive = journey?.active === true;
  const isArchived = journey !== undefined && journey.archivedAt !== null;
  const isFrozen = isLive || isReader || isArchived;
  const [stepParam, setStep] = useQueryParam('step');
  const [panel, setPanel] = useQueryParam('panel');
  const found = findStep(draft.steps, stepParam);
  const [visited, setVisited] = useState<ReadonlySet<string>>(noIds);
  const editing = useEditing({ tools, found, isFrozen, select: setStep, showPanel: setPanel });
  const issues = useMemo(
    () => placeIssues(draft.steps, tools.error?.issues ?? []),
    [draft.steps, tools.error],
  );
  const trigger = useTriggerText(draft);
  const names = useMessageNames(draft.steps);
  const figures = useFigures(journey);
  const isStarting = panel === undefined || panel === 'settings';
  const view: JourneyView = {
    steps: draft.steps,
    trigger,
    names,
    wrong: new Set(issues.bySteps.keys()),
    visited: panel === 'try' ? visited : noIds,
    figures: figures.bySteps,
    selected: found?.step.id ?? (isStarting ? triggerKey : undefined),
    onSelect: editing.open,
    onAdd: isFrozen ? undefined : editing.askAdd,
  };
  useLeaveGuard(state === 'saving' || (state === 'changed' && !isReader && !isArchived));
  return (
    <>
      <ScreenHead
        title={draft.name || words.untitled}
        crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
        aside={
          <>
            <Badge tone={isLive ? 'good' : 'off'}>{isLive ? words.live : words.off}</Badge>
            {isArchived && <Badge tone="off">{words.tabs.archived}</Badge>}
            <SaveStatus tools={tools} />
          </>
        }
        actions={
          <>
            {journey !== undefined && <JourneyMenu journey={journey} />}
            <SwitchButton journey={journey} tools={tools} stats={figures.stats} />
          </>
        }
      />
      <SaveNote tools={tools} rest={issues.rest} />
      {isLive && journey !== undefined && <FrozenNote journey={journey} />}
      {journey !== undefined && <WarningsNote journey={journey} />}
      {journey !== undefined && <RestingNotes journey={journey} />}
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
    </>
  );
}
