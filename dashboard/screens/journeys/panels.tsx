// The panel beside the canvas: what starts the journey, one step, trying it out, who is in it.

import { allSteps, type Found } from '../../canvas/model.ts';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { Forecast } from './forecast.tsx';
import { panels } from './panel-tabs.ts';
import { PeopleIn } from './people-in.tsx';
import { Settings } from './settings.tsx';
import { StepPanel, type StepPanelProps } from './step-panel.tsx';
import { TryIt } from './try-it.tsx';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

interface PanelsProps extends StepPanelProps {
  readonly onVisit: (ids: ReadonlySet<string>) => void;
}

export function Panels(props: PanelsProps) {
  const tab = useTab(panels, 'panel');
  return (
    <>
      <Tabs label={words.panels.label} tabs={panels} name="panel" />
      <TabPanel id={tab} name="panel">
        <div className="panel-body stack">
          <Shown {...props} tab={tab} />
        </div>
      </TabPanel>
    </>
  );
}

function Shown({
  tab,
  onVisit,
  ...step
}: PanelsProps & { readonly tab: (typeof panels)[number]['id'] }) {
  const { journey, tools, found, issues, isFrozen, editing, figures } = step;
  switch (tab) {
    case 'step':
      return <StepPanel key={panelKey(found, tools)} {...step} />;
    case 'try':
      return <TryIt draft={tools.draft} onVisit={onVisit} onStep={editing.open} />;
    case 'forecast':
      return (
        <Forecast journey={journey} isChanged={tools.state !== 'saved'} onStep={editing.open} />
      );
    case 'people':
      return <PeopleIn journey={journey} stats={figures.stats} steps={tools.draft.steps} />;
    default:
      return <Settings journey={journey} tools={tools} isFrozen={isFrozen} rest={issues.rest} />;
  }
}

/** Another step has another form; a step that is renamed keeps its own, and its focus. */
function panelKey(found: Found | undefined, { draft }: JourneyTools): string {
  return `${found?.path} ${allSteps(draft.steps).length}`;
}
