// The journey drawn: cards, lines, a button on each line that adds a step. Pan, zoom and the small
// map are React Flow's; places are ours (layout.ts), so there is nothing to drag.

import sheet from 'url:./canvas.css';
import {
  Background,
  type Node,
  type NodeProps,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { createContext, useContext, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { StepCard } from './card.tsx';
import { useCardHeights } from './card-heights.ts';
import { type Layout, layoutOf, startId } from './layout.ts';
import { Lines } from './lines.tsx';
import type { Branch, Gap, Step } from './model.ts';
import { triggerKey } from './outline.ts';
import { focusRow, type JourneyView } from './outline.tsx';
import { mapWidthMin, SmallMap } from './small-map.tsx';
import { useStyleSheet } from './style-sheet.ts';
import { words } from './words.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

const plusPx = 24;
const mapFrom = 14;
const topPx = 32;
const sidePx = 24;
/** A wider journey is not shown smaller at first: its cards could not be read. */
const zoomMin = 0.55;

const ViewContext = createContext<JourneyView | undefined>(undefined);

export default function Canvas({ view }: { readonly view: JourneyView }) {
  const isStyled = useStyleSheet(sheet);
  if (!isStyled) return <div className="canvas" />;
  return (
    <ViewContext value={view}>
      <ReactFlowProvider>
        <Drawing view={view} />
      </ReactFlowProvider>
    </ViewContext>
  );
}

function Drawing({ view }: { readonly view: JourneyView }) {
  const { steps, selected, onAdd } = view;
  const { isLong, startPx, cardPx } = useCardHeights(view);
  const layout = useMemo(() => layoutOf(steps, cardPx, startPx), [steps, cardPx, startPx]);
  const hasMap = steps.length >= mapFrom;
  const whole = useRef({ width: layout.width, hasMap });
  whole.current = { width: layout.width, hasMap };
  const canAdd = onAdd !== undefined;
  const nodes = useMemo(() => nodesOf(layout, canAdd), [layout, canAdd]);
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    if (width === 0) return;
    // When the pane gets its size, and not on each change of a step.
    const all = whole.current;
    const free = all.hasMap ? width - mapWidthMin - sidePx : width;
    const zoom = Math.min(1, Math.max(zoomMin, (free - 2 * sidePx) / all.width));
    void flow.setViewport({ x: free / 2, y: topPx, zoom });
  }, [flow, width]);
  useEffect(() => {
    const box = layout.boxes.find(
      ({ id }) => id === (selected === triggerKey ? startId : selected),
    );
    if (box === undefined || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const boxX = box.x - layout.width / 2;
    const left = boxX * zoom + x;
    const top = box.y * zoom + y;
    const isSeen =
      left >= 0 &&
      top >= 0 &&
      left + box.width * zoom <= width &&
      top + box.height * zoom <= height;
    if (!isSeen)
      void flow.setCenter(boxX + box.width / 2, box.y + box.height / 2, { zoom, duration: 0 });
  }, [selected, layout, flow, width, height]);
  return (
    <section className={classNames('canvas', isLong && 'long')} aria-label={words.canvas}>
      <ReactFlow
        nodes={nodes as Node[]}
        edges={[]}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        onNodeClick={() => undefined}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        onlyRenderVisibleElements
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.15}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} size={1} />
        {hasMap && <SmallMap layout={layout} paneHeight={height} />}
        <ZoomButtons />
      </ReactFlow>
    </section>
  );
}

interface NodeData extends Record<string, unknown> {
  readonly step?: Step;
  readonly layout?: Layout;
  readonly gap?: Gap;
  readonly branch?: Branch;
}

function nodesOf(layout: Layout, canAdd: boolean): readonly Node<NodeData>[] {
  const { boxes, lines, width, height } = layout;
  // The middle stays where it is, however wide the journey becomes.
  const left = -width / 2;
  const nodes: Node<NodeData>[] = [
    { id: ':lines', type: 'lines', position: { x: left, y: 0 }, width, height, data: { layout } },
  ];
  for (const { id, role, step, x, y, width: wide, height: high } of boxes)
    nodes.push({
      id,
      type: role,
      position: { x: x + left, y },
      width: wide,
      height: high,
      data: step === undefined ? {} : { step },
    });
  for (const { id, gap, gapAt, branch, labelAt } of lines) {
    if (branch !== undefined && labelAt !== undefined)
      nodes.push(small(`label:${id}`, 'label', [labelAt[0] + left, labelAt[1]], 48, { branch }));
    if (canAdd && gap !== undefined && gapAt !== undefined)
      nodes.push(small(`add:${id}`, 'plus', [gapAt[0] + left, gapAt[1]], plusPx, { gap }));
  }
  return nodes;
}

function small(
  id: string,
  type: string,
  [x, y]: readonly [number, number],
  width: number,
  data: NodeData,
): Node<NodeData> {
  const position = { x: x - width / 2, y: y - plusPx / 2 };
  return { id, type, position, width, height: plusPx, data };
}

function useView(): JourneyView {
  return useContext(ViewContext) as JourneyView;
}

type Drawn = NodeProps<Node<NodeData>>;

const nodeTypes = {
  lines: ({ data }: Drawn) => data.layout && <Lines layout={data.layout} />,
  step: StepNode,
  start: StartNode,
  end: () => <span className="journey-end">{words.end}</span>,
  label: ({ data }: Drawn) =>
    data.branch && (
      <span className={`branch-label ${data.branch}`}>{words.branch[data.branch]}</span>
    ),
  plus: PlusNode,
};

function StepNode({ data }: Drawn) {
  const view = useView();
  return data.step === undefined ? null : <StepCard step={data.step} view={view} />;
}

function StartNode() {
  const { trigger, selected, onSelect } = useView();
  return (
    <button
      type="button"
      tabIndex={-1}
      className="step-card trigger"
      aria-pressed={selected === triggerKey}
      onClick={() => {
        onSelect(triggerKey);
        focusRow(triggerKey);
      }}
    >
      <span className="step-sign">
        <Icon name="play" />
      </span>
      <span className="step-text">
        <strong>{words.trigger}</strong>
        <span className="step-sentence" title={trigger}>
          {trigger}
        </span>
      </span>
    </button>
  );
}

function PlusNode({ data }: Drawn) {
  const { onAdd } = useView();
  const { gap } = data;
  if (gap === undefined) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className="journey-plus"
      aria-label={words.addHere}
      onClick={() => onAdd?.(gap)}
    >
      <Icon name="plus" />
    </button>
  );
}
