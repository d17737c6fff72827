// The outline, the canvas and the panel side by side; on a small screen the outline alone, with the
// panel in a drawer.

import type { ReactNode } from 'react';
import { allSteps } from '../../canvas/model.ts';
import { type JourneyView, Outline } from '../../canvas/outline.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { focusLater } from '../../ui/focus-later.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { late } from '../../ui/late.tsx';
import { useIsCramped } from '../../ui/media.ts';
import { Grey } from '../../ui/note.tsx';
import { firstOfPanel } from './panel-focus.ts';
import { isPanel, panels as panelTabs } from './panel-tabs.ts';
import type { Editing } from './use-editing.ts';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

const Canvas = late(
  () => import('../../canvas/canvas.tsx').then((file) => file.default),
  () => (
    <div className="canvas">
      <Grey />
    </div>
  ),
);

interface WorkbenchProps {
  readonly view: JourneyView;
  readonly editing: Editing;
  readonly tools: JourneyTools;
  readonly isFrozen: boolean;
  readonly panels: ReactNode;
}

export function Workbench(props: WorkbenchProps) {
  const { view, editing, tools, isFrozen, panels } = props;
  const isCramped = useIsCramped();
  const [panel, setPanel] = useQueryParam('panel');
  useStepKeys(props);
  const outline = (
    <div className="workbench-outline">
      <div className="workbench-tools">
        <h2 className="grow">{words.stepCount(allSteps(view.steps).length)}</h2>
        {!isFrozen && (
          <>
            <IconButton
              size="small"
              icon="undo"
              label={words.undo}
              refused={tools.canUndo ? undefined : words.noUndo}
              onClick={tools.undo}
            />
            <IconButton
              size="small"
              icon="redo"
              label={words.redo}
              refused={tools.canRedo ? undefined : words.noRedo}
              onClick={tools.redo}
            />
            <IconButton size="small" icon="plus" label={words.add} onClick={editing.addAfter} />
          </>
        )}
      </div>
      <Outline
        {...view}
        onEdit={(key) => {
          editing.open(key);
          focusPanel();
        }}
        onMove={editing.move}
        onRemove={editing.remove}
      />
    </div>
  );
  if (isCramped)
    return (
      <div className="screen-body workbench-small">
        <div className="row">
          {panelTabs
            .filter(({ id }) => id !== 'step')
            .map(({ id, label }) => (
              <Button key={id} size="small" onClick={() => setPanel(id)}>
                {label}
              </Button>
            ))}
        </div>
        {outline}
        <Dialog
          kind="drawer"
          title={panelTabs.find(({ id }) => id === panel)?.label ?? words.panels.label}
          isOpen={isPanel(panel)}
          onClose={() => setPanel(undefined)}
        >
          {panels}
        </Dialog>
      </div>
    );
  return (
    <div className="workbench">
      {outline}
      <Canvas view={view} />
      <aside className="workbench-panel" aria-label={words.panels.label} data-panel="">
        {panels}
      </aside>
    </div>
  );
}

/** Once it is drawn. */
function focusPanel(): void {
  focusLater(() => firstOfPanel()?.focus(), 2);
}

function useStepKeys({ editing, tools, isFrozen, view }: WorkbenchProps): void {
  const [, setPanel] = useQueryParam('panel');
  const { selected } = view;
  useShortcuts([
    { keys: 't', label: words.panels.try, run: () => setPanel('try') },
    ...(isFrozen
      ? []
      : [
          { keys: 'a', label: words.addAfter, run: editing.addAfter },
          { keys: 'mod+d', label: words.duplicateStep, run: editing.duplicate },
          { keys: 'mod+z', label: words.undo, run: tools.undo, isFieldsOwn: true as const },
          { keys: 'mod+shift+z', label: words.redo, run: tools.redo, isFieldsOwn: true as const },
        ]),
    ...(selected === undefined ? [] : [{ keys: 'e', label: words.edit, run: focusPanel }]),
  ]);
}
