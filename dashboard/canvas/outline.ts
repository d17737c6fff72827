// A journey as rows of a tree: the trigger, its steps, and under a condition its two ways.

import { type Branch, branches, branchOf, type Gap, isCondition, type Step } from './model.ts';

export interface OutlineRow {
  /** A step's id, or one that no step has. */
  readonly key: string;
  readonly kind: 'trigger' | 'step' | 'branch';
  readonly step?: Step;
  /** Of the condition that it is a way of. */
  readonly parent?: string | undefined;
  readonly branch?: Branch | undefined;
  /** From 1, as ARIA counts. */
  readonly level: number;
  readonly place: number;
  readonly of: number;
  /** `undefined` where nothing is below. */
  readonly isOpen?: boolean;
  /** Where a step goes that is added after this. */
  readonly gap: Gap;
}

export const triggerKey = ':trigger';

function branchRowKey(id: string, branch: Branch): string {
  return `:${branch}:${id}`;
}

/** Rows in sight; `closed` has the keys whose rows below are not. */
export function outlineRows(
  steps: readonly Step[],
  closed: ReadonlySet<string>,
): readonly OutlineRow[] {
  const all = steps.length + 1;
  const rows: OutlineRow[] = [
    { key: triggerKey, kind: 'trigger', level: 1, place: 1, of: all, gap: { index: 0 } },
  ];
  const walk = (list: readonly Step[], level: number, at: Omit<Gap, 'index'>, before: number) => {
    list.forEach((step, index) => {
      const isOpen = isCondition(step) ? !closed.has(step.id) : undefined;
      rows.push({
        key: step.id,
        kind: 'step',
        step,
        ...at,
        level,
        place: index + 1 + before,
        of: list.length + before,
        ...(isOpen === undefined ? {} : { isOpen }),
        gap: { ...at, index: index + 1 },
      });
      if (isCondition(step) && isOpen === true) walkBranches(step, level + 1);
    });
  };
  const walkBranches = (step: Extract<Step, { readonly then: unknown }>, level: number) => {
    branches.forEach((branch, nth) => {
      const key = branchRowKey(step.id, branch);
      const list = branchOf(step, branch);
      const isOpen = !closed.has(key);
      rows.push({
        key,
        kind: 'branch',
        parent: step.id,
        branch,
        level,
        place: nth + 1,
        of: branches.length,
        ...(list.length === 0 ? {} : { isOpen }),
        gap: { parent: step.id, branch, index: 0 },
      });
      if (isOpen) walk(list, level + 1, { parent: step.id, branch }, 0);
    });
  };
  walk(steps, 1, {}, 1);
  return rows;
}

/** The row that the left arrow goes to: the way that a step is on, or the condition of a way. */
export function parentKey(row: OutlineRow): string | undefined {
  if (row.parent === undefined || row.branch === undefined) return undefined;
  return row.kind === 'branch' ? row.parent : branchRowKey(row.parent, row.branch);
}
