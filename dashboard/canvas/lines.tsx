// The lines between cards: one drawing below all of them.

import type { Layout, Line } from './layout.ts';

const cornerPx = 10;

export function Lines({ layout }: { readonly layout: Layout }) {
  return (
    <svg
      className="journey-lines"
      width={layout.width}
      height={layout.height}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      aria-hidden="true"
    >
      {layout.lines.map((line) => (
        <path key={line.id} d={pathOf(line)} />
      ))}
    </svg>
  );
}

/** A path with round corners. */
function pathOf({ points }: Line): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${first[0]} ${first[1]}`;
  rest.forEach((point, at) => {
    const before = points[at] as readonly [number, number];
    const after = points[at + 2];
    const isStraight = after === undefined || isOneLine(before, point, after);
    if (isStraight) {
      path += `L${point[0]} ${point[1]}`;
      return;
    }
    const [x, y] = toward(point, before);
    const [nextX, nextY] = toward(point, after);
    path += `L${x} ${y}Q${point[0]} ${point[1]} ${nextX} ${nextY}`;
  });
  return path;
}

type Point = readonly [x: number, y: number];

function isOneLine(one: Point, two: Point, three: Point): boolean {
  return (one[0] === two[0] && two[0] === three[0]) || (one[1] === two[1] && two[1] === three[1]);
}

/** A corner's length from a point on the way to another. */
function toward([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.hypot(toX - x, toY - y);
  const part = length === 0 ? 0 : Math.min(cornerPx, length / 2) / length;
  return [x + (toX - x) * part, y + (toY - y) * part];
}
