// The buttons below a drawn journey: smaller, larger, all of it.

import { Panel, useReactFlow } from '@xyflow/react';
import { IconButton } from '../ui/button.tsx';
import { words } from './words.ts';

export function ZoomButtons() {
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className="canvas-tools">
      <IconButton
        size="small"
        icon="minus"
        label={words.zoomOut}
        onClick={() => void flow.zoomOut()}
      />
      <IconButton
        size="small"
        icon="plus"
        label={words.zoomIn}
        onClick={() => void flow.zoomIn()}
      />
      <IconButton
        size="small"
        icon="fit"
        label={words.fit}
        onClick={() => void flow.fitView({ padding: 0.1, maxZoom: 1 })}
      />
    </Panel>
  );
}
