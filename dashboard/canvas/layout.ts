// Where the cards of a journey stand. A journey is nested lists, so one recursion finds every
// place: a list is a column, a condition two columns side by side, which meet again below.

import { type Branch, branches, branchOf, type Gap, isCondition, type Step } from './model.ts';

const cardWidth = 232;
/** A line of its name and two of its sentence. */
export const cardHeight = 76;
/** Between two cards of a column, and between the columns of a condition. */
const rowGap = 48;
const columnGap = 32;
/** What a branch without steps takes. */
const emptyHeight = 24;
const endHeight = 40;

export interface Box {
  readonly id: string;
  /** The step; neither for the trigger and the end. */
  readonly step?: Step;
  readonly role: 'start' | 'step' | 'end';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from box to box, or to the meeting point below a condition. */
export interface Line {
  readonly id: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Of a condition's side. */
  readonly branch?: Branch;
  /** Where a step that is added on this line goes, and where its button stands. */
  readonly gap?: Gap;
  readonly gapAt?: readonly [x: number, y: number];
  /** Where its branch's name stands. */
  readonly labelAt?: readonly [x: number, y: number];
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export const startId = ':start';
export const endId = ':end';

/** `cardPx`: the height of a card; those with figures are higher than the trigger. */
export function layoutOf(
  steps: readonly Step[],
  cardPx = cardHeight,
  startPx = cardHeight,
): Layout {
  const boxes: Box[] = [];
  const lines: Line[] = [];
  const sizes = new Map<readonly Step[] | Step, Size>();
  const { width, height } = listSize(steps, sizes, cardPx);
  const middle = width / 2;
  boxes.push(boxAt(startId, 'start', middle, 0, startPx));
  const top = startPx + rowGap;
  const bottom = placeList(steps, {}, middle, top, [middle, startPx], {
    boxes,
    lines,
    sizes,
    cardPx,
  });
  const endY = steps.length === 0 ? top : top + height + rowGap;
  boxes.push(boxAt(endId, 'end', middle, endY, endHeight));
  lines.push(gapLine(`${endId}`, bottom, [middle, endY], { index: steps.length }));
  return { boxes, lines, width, height: endY + endHeight };
}

interface Drawing {
  readonly boxes: Box[];
  readonly lines: Line[];
  readonly sizes: Sizes;
  readonly cardPx: number;
}

type Sizes = Map<readonly Step[] | Step, Size>;

type Point = readonly [x: number, y: number];

/** Returns the point where the list's last step ends. */
function placeList(
  steps: readonly Step[],
  at: Omit<Gap, 'index'>,
  middle: number,
  top: number,
  from: Point,
  drawing: Drawing,
): Point {
  let y = top;
  let last = from;
  steps.forEach((step, index) => {
    const isFirstOfBranch = index === 0 && at.parent !== undefined;
    if (!isFirstOfBranch) drawing.lines.push(gapLine(step.id, last, [middle, y], { ...at, index }));
    drawing.boxes.push(boxAt(step.id, 'step', middle, y, drawing.cardPx, step));
    last = [middle, y + drawing.cardPx];
    if (isCondition(step)) last = placeBranches(step, middle, y + drawing.cardPx, drawing);
    y += (drawing.sizes.get(step)?.height ?? drawing.cardPx) + rowGap;
  });
  return last;
}

/** Two columns below a condition; returns the point where they meet. */
function placeBranches(
  step: Extract<Step, { readonly then: readonly Step[] }>,
  middle: number,
  bottom: number,
  drawing: Drawing,
): Point {
  const { sizes, lines } = drawing;
  const whole = sizes.get(step) as Size;
  const columns = branches.map((branch) => sizes.get(branchKey(step, branch)) as Size);
  const meetY = bottom - drawing.cardPx + whole.height;
  const total = columns.reduce((sum, { width }) => sum + width, columnGap);
  let left = middle - total / 2;
  branches.forEach((branch, nth) => {
    const list = branchOf(step, branch);
    const width = (columns[nth] as Size).width;
    const center = left + width / 2;
    const turnY = bottom + rowGap / 2;
    const top = bottom + rowGap * 1.5;
    const entry: Point = [center, turnY];
    const end = placeList(list, { parent: step.id, branch }, center, top, entry, drawing);
    const first = list[0];
    lines.push({
      id: `${step.id}:${branch}`,
      branch,
      points: [[middle, bottom], [middle, turnY], entry, [center, first ? top : top - 1]],
      gap: { parent: step.id, branch, index: 0 },
      gapAt: [center, top - rowGap / 4],
      labelAt: [center, turnY + 6],
    });
    const joint = meetY - rowGap / 2;
    lines.push({
      id: `${step.id}:${branch}:meet`,
      points: [first ? end : [center, top - 1], [center, joint], [middle, joint], [middle, meetY]],
      ...(first === undefined
        ? {}
        : {
            gap: { parent: step.id, branch, index: list.length },
            gapAt: [center, Math.min(end[1] + rowGap / 2, joint)] as const,
          }),
    });
    left += width + columnGap;
  });
  return [middle, meetY];
}

function listSize(steps: readonly Step[], sizes: Sizes, cardPx: number): Size {
  let width = cardWidth;
  let height = 0;
  steps.forEach((step, index) => {
    const size = stepSize(step, sizes, cardPx);
    width = Math.max(width, size.width);
    height += size.height + (index === 0 ? 0 : rowGap);
  });
  const size = { width, height: steps.length === 0 ? emptyHeight : height };
  sizes.set(steps, size);
  return size;
}

function stepSize(step: Step, sizes: Sizes, cardPx: number): Size {
  let size: Size = { width: cardWidth, height: cardPx };
  if (isCondition(step)) {
    const columns = branches.map((branch) => {
      const own = listSize(branchOf(step, branch), sizes, cardPx);
      sizes.set(branchKey(step, branch), own);
      return own;
    });
    const below = Math.max(...columns.map(({ height }) => height));
    size = {
      width: columns.reduce((sum, column) => sum + column.width, columnGap),
      height: cardPx + rowGap * 1.5 + below + rowGap,
    };
  }
  sizes.set(step, size);
  return size;
}

const keys = new WeakMap<Step, Record<Branch, readonly Step[]>>();

/** A key of its own for each branch: an absent one has no list that could be one. */
function branchKey(step: Step, branch: Branch): readonly Step[] {
  const own = keys.get(step) ?? { then: [], else: [] };
  keys.set(step, own);
  return own[branch];
}

function boxAt(
  id: string,
  role: Box['role'],
  middle: number,
  y: number,
  height: number,
  step?: Step,
): Box {
  const box = { id, role, x: middle - cardWidth / 2, y, width: cardWidth, height };
  return step === undefined ? box : { ...box, step };
}

function gapLine(id: string, from: Point, to: Point, gap: Gap): Line {
  return {
    id: `to:${id}`,
    points: [from, to],
    gap,
    gapAt: [to[0], (from[1] + to[1]) / 2],
  };
}
