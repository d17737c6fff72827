// The map of a long journey in the corner of its canvas, as long as the journey is tall or wide, so
// that its steps can be told apart.

import { MiniMap, type Node } from '@xyflow/react';
import type { Layout } from './layout.ts';

export const mapWidthMin = 48;
const mapSidePx = 160;
const mapLongPx = 360;
/** Above and below it, of the pane. */
const marginPx = 32;

export function SmallMap({
  layout,
  paneHeight,
}: {
  readonly layout: Layout;
  readonly paneHeight: number;
}) {
  return (
    <MiniMap
      pannable
      zoomable
      ariaLabel={null}
      nodeColor={mapColor}
      style={mapSize(layout, paneHeight)}
    />
  );
}

function mapSize({ width, height }: Layout, paneHeight: number) {
  const within = (px: number) => Math.min(Math.max(px, mapWidthMin), mapSidePx);
  if (height <= width) return { width: mapSidePx, height: within((mapSidePx * height) / width) };
  const long = Math.max(Math.min(mapLongPx, paneHeight - 2 * marginPx), mapWidthMin);
  return { width: within((long * width) / height), height: long };
}

function mapColor({ type }: Node): string {
  return type === 'step' ? 'var(--line-strong)' : 'transparent';
}
