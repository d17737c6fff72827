// The editor of a journey: its state, and what stands where. The parts are beside this file.

import { useMemo, useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { type PlacedIssues, placeIssues } from '../../canvas/issues.ts';
import { type Found, findStep } from '../../canvas/model.ts';
import { triggerKey } from '../../canvas/outline.ts';
import type { JourneyView } from '../../canvas/outline.tsx';
import { EditorFrame } from '../../kit/editor-frame.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { AddDialog } from './add-dialog.tsx';
import type { Draft } from './draft.ts';
import { JourneyNotes } from './journey-notes.tsx';
import { JourneyMenu } from './menu.tsx';
import { Panels } from './panels.tsx';
import { SwitchButton } from './switch.tsx';
import { useTriggerText } from './trigger.tsx';
import { type Editing, useEditing } from './use-editing.ts';
import { type Figures, useFigures } from './use-figures.ts';
import { useMessageNames } from './use-message-names.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';
import { Workbench } from './workbench.tsx';

const noIds: ReadonlySet<string> = new Set();

export function JourneyEditor({
  journey,
  onMade,
}: {
  /** `undefined` for a new one. */
  readonly journey: Journey | undefined;
  readonly onMade: (journey: Journey) => void;
}) {
  const app = useApp();
  const isLive = journey?.active === true;
  const isArchived = journey !== undefined && journey.archivedAt !== null;
  const write = useRefusal('write');
  const refused = isArchived ? words.unarchiveFirst : write;
  const tools = useSavedDraft(journey, refused, onMade);
  const { draft } = tools;
  const error = tools.state === 'refused' ? tools.error : undefined;
  const isFrozen = isLive || refused !== undefined;
  const [stepParam, setStep] = useQueryParam('step');
  const [panel, setPanel] = useQueryParam('panel');
  const found = findStep(draft.steps, stepParam);
  const [visited, setVisited] = useState<ReadonlySet<string>>(noIds);
  const editing = useEditing({ tools, found, isFrozen, select: setStep, showPanel: setPanel });
  const issues = useMemo(() => placeIssues(draft.steps, error?.issues ?? []), [draft.steps, error]);
  const figures = useFigures(journey);
  const view = useView({ draft, found, panel, visited, issues, figures, editing, isFrozen });
  return (
    <EditorFrame
      title={draft.name || words.untitled}
      crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
      tools={tools}
      save={undefined}
      aside={
        <>
          <Badge tone={isLive ? 'good' : 'off'}>{isLive ? words.live : words.off}</Badge>
          {isArchived && <Badge tone="off">{words.tabs.archived}</Badge>}
        </>
      }
      actions={
        <>
          {journey !== undefined && <JourneyMenu journey={journey} />}
          <SwitchButton journey={journey} tools={tools} stats={figures.stats} />
        </>
      }
    >
      <JourneyNotes journey={journey} tools={tools} rest={issues.rest} />
      <Workbench
        view={view}
        editing={editing}
        tools={tools}
        isFrozen={isFrozen}
        panels={
          <Panels
            {...{ journey, tools, found, issues, isFrozen, editing, figures }}
            onVisit={setVisited}
          />
        }
      />
      <AddDialog editing={editing} />
    </EditorFrame>
  );
}

/** What the outline and the canvas draw. */
function useView({
  draft,
  found,
  panel,
  visited,
  issues,
  figures,
  editing,
  isFrozen,
}: {
  readonly draft: Draft;
  readonly found: Found | undefined;
  readonly panel: string | undefined;
  readonly visited: ReadonlySet<string>;
  readonly issues: PlacedIssues;
  readonly figures: Figures;
  readonly editing: Editing;
  readonly isFrozen: boolean;
}): JourneyView {
  const isStarting = panel === undefined || panel === 'settings';
  return {
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
}
