// A journey's steps as they are edited: nested lists, changed by the steps' ids, which are unique.
// Nothing here knows a page; what is not filled in yet may be missing.

import type { Filter, JourneyStep } from '../api/generated.ts';

interface StepBase {
  readonly id: string;
  readonly note?: string;
}

export interface WaitStep extends StepBase {
  readonly type: 'wait';
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

export interface SendStep extends StepBase {
  readonly type: 'send';
  readonly messageId?: string;
  readonly message?: Readonly<Record<string, unknown>>;
  readonly channels?: readonly string[];
  /** The key of a topic. */
  readonly topic?: string;
  /** Of its email; `marketing` if absent. */
  readonly stream?: 'marketing' | 'transactional';
}

export interface ConditionStep extends StepBase {
  readonly type: 'condition' | 'branch';
  readonly filter?: Filter;
  readonly then: readonly Step[];
  readonly else?: readonly Step[];
}

export interface GoalStep extends StepBase {
  readonly type: 'goal';
  readonly event: string;
  readonly timeoutHours?: number;
}

export type Step = WaitStep | SendStep | ConditionStep | GoalStep;
export type Branch = 'then' | 'else';

/** A place between steps: before member `index` of the journey's list, or of a condition's. */
export interface Gap {
  readonly parent?: string | undefined;
  readonly branch?: Branch | undefined;
  readonly index: number;
}

export interface Found {
  readonly step: Step;
  /** As the API names it: `steps[2].then[0]`. */
  readonly path: string;
  readonly gap: Gap;
  /** How many conditions enclose it. */
  readonly depth: number;
  readonly siblings: readonly Step[];
}

export const branches: readonly Branch[] = ['then', 'else'];

export function isCondition(step: Step): step is ConditionStep {
  return step.type === 'condition' || step.type === 'branch';
}

export function branchOf(step: ConditionStep, branch: Branch): readonly Step[] {
  return step[branch] ?? [];
}

/** The steps of the API, read as ours; the forms are the same. */
export function stepsOf(steps: readonly JourneyStep[]): readonly Step[] {
  return steps as readonly Step[];
}

export function asSent(steps: readonly Step[]): readonly JourneyStep[] {
  return steps as unknown as readonly JourneyStep[];
}

/** All steps in reading order, with where they are. */
function eachStep(steps: readonly Step[], visit: (found: Found) => void): void {
  const walk = (list: readonly Step[], path: string, depth: number, at: Omit<Gap, 'index'>) => {
    list.forEach((step, index) => {
      const own = `${path}[${index}]`;
      visit({ step, path: own, gap: { ...at, index }, depth, siblings: list });
      if (!isCondition(step)) return;
      for (const branch of branches)
        walk(branchOf(step, branch), `${own}.${branch}`, depth + 1, { parent: step.id, branch });
    });
  };
  walk(steps, 'steps', 0, {});
}

export function allSteps(steps: readonly Step[]): readonly Found[] {
  const found: Found[] = [];
  eachStep(steps, (one) => found.push(one));
  return found;
}

export function findStep(steps: readonly Step[], id: string | undefined): Found | undefined {
  return id === undefined ? undefined : allSteps(steps).find(({ step }) => step.id === id);
}

/** The list that a gap is in, changed. */
function changeList(
  steps: readonly Step[],
  { parent, branch = 'then' }: Omit<Gap, 'index'>,
  change: (list: readonly Step[]) => readonly Step[],
): readonly Step[] {
  if (parent === undefined) return change(steps);
  return steps.map((step) => {
    if (!isCondition(step)) return step;
    if (step.id === parent) return { ...step, [branch]: change(branchOf(step, branch)) };
    return withBranches(step, (list) => changeList(list, { parent, branch }, change));
  });
}

/** A branch that is absent stays so. */
function withBranches(
  step: ConditionStep,
  change: (list: readonly Step[]) => readonly Step[],
): ConditionStep {
  return {
    ...step,
    then: change(step.then),
    ...(step.else === undefined ? {} : { else: change(step.else) }),
  };
}

export function insertAt(
  steps: readonly Step[],
  gap: Gap,
  added: readonly Step[],
): readonly Step[] {
  return changeList(steps, gap, (list) => list.toSpliced(gap.index, 0, ...added));
}

export function replaceStep(steps: readonly Step[], id: string, next: Step): readonly Step[] {
  return steps.map((step) => {
    if (step.id === id) return next;
    return isCondition(step) ? withBranches(step, (list) => replaceStep(list, id, next)) : step;
  });
}

/** A condition goes with all that is in it. */
export function removeStep(steps: readonly Step[], id: string): readonly Step[] {
  return steps
    .filter((step) => step.id !== id)
    .map((step) => (isCondition(step) ? withBranches(step, (list) => removeStep(list, id)) : step));
}

/** One place up or down in its own list; the same steps at the list's end. */
export function moveStep(steps: readonly Step[], id: string, by: -1 | 1): readonly Step[] {
  const found = findStep(steps, id);
  const other = found?.siblings[found.gap.index + by];
  if (found === undefined || other === undefined) return steps;
  return changeList(steps, found.gap, (list) =>
    list.with(found.gap.index, other).with(found.gap.index + by, found.step),
  );
}

export function takenIds(steps: readonly Step[]): Set<string> {
  return new Set(allSteps(steps).map(({ step }) => step.id));
}

/** `nudge`, or `nudge 2` if there is one. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const base = wanted.replace(/ \d+$/, '');
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n++) if (!taken.has(`${base} ${n}`)) return `${base} ${n}`;
}

/** Copies with ids that are free, to be added. */
export function renamed(added: readonly Step[], taken: ReadonlySet<string>): readonly Step[] {
  const used = new Set(taken);
  const rename = (list: readonly Step[]): readonly Step[] =>
    list.map((step) => {
      const id = freeId(step.id, used);
      used.add(id);
      const own = { ...step, id };
      return isCondition(own) ? withBranches(own, rename) : own;
    });
  return rename(added);
}

/** Steps of a text that was copied here or is a step's JSON; `undefined` for any other text. */
export function parseSteps(text: string): readonly Step[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.length > 0 && list.every(isStep) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null) return false;
  const step = value as Record<string, unknown>;
  if (typeof step['id'] !== 'string' || typeof step['type'] !== 'string') return false;
  if (!['condition', 'branch'].includes(step['type'])) return true;
  const isList = (list: unknown) => Array.isArray(list) && list.every(isStep);
  return isList(step['then']) && (step['else'] === undefined || isList(step['else']));
}
