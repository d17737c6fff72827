// The journey as a tree: for the keyboard, for screen readers, and alone on a phone. Arrow keys
// walk, Enter edits, `a` adds after, Alt with an arrow moves a step.

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { focusLater } from '../ui/focus-later.ts';
import { Icon } from '../ui/icon.tsx';
import type { MessageNames } from './kind.ts';
import { isComplete, stepKindOf, stepSentence } from './kinds.ts';
import { branchOf, findStep, type Gap, isCondition, type Step } from './model.ts';
import { type OutlineRow, outlineRows, parentKey, triggerKey } from './outline.ts';
import { StepCounts, type StepFigures } from './step-counts.tsx';
import { words } from './words.ts';

export interface JourneyView {
  readonly steps: readonly Step[];
  /** What starts the journey, in words. */
  readonly trigger: string;
  readonly names: MessageNames;
  /** Ids of steps that the server refuses. */
  readonly wrong: ReadonlySet<string>;
  /** Ids of the steps of a tried walk. */
  readonly visited: ReadonlySet<string>;
  /** Per step's id; `undefined` for a journey without any. */
  readonly figures: ReadonlyMap<string, StepFigures> | undefined;
  /** A step's id, or `triggerKey`. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** `undefined` where steps cannot be added. */
  readonly onAdd: ((gap: Gap) => void) | undefined;
}

interface OutlineProps extends JourneyView {
  /** Enter: edit what is selected. */
  readonly onEdit: (key: string) => void;
  readonly onMove: (id: string, by: -1 | 1) => void;
  readonly onRemove: (id: string) => void;
}

/** After a card was clicked: the keys go on from its row. */
export function focusRow(key: string): void {
  const target = `.outline [data-key="${CSS.escape(key)}"]`;
  focusLater(() => document.querySelector<HTMLElement>(target)?.focus());
}

export function Outline(props: OutlineProps) {
  const { steps, selected, onSelect, onEdit } = props;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => outlineRows(steps, closed), [steps, closed]);
  const [focused, setFocused] = useState<string>();
  // What was selected elsewhere, such as an added step, is where the keys come in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection counts
  useEffect(() => setFocused(undefined), [selected]);
  const wanted = focused ?? selected ?? triggerKey;
  const active = rows.some(({ key }) => key === wanted) ? wanted : triggerKey;

  const focus = (row: OutlineRow | undefined) => {
    if (row === undefined) return;
    setFocused(row.key);
    if (row.kind !== 'branch') onSelect(row.key);
    const target = `[data-key="${CSS.escape(row.key)}"]`;
    focusLater(() => tree.current?.querySelector<HTMLElement>(target)?.focus());
  };
  const setOpen = (key: string, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(key);
    else next.add(key);
    setClosed(next);
  };
  const onKey = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ key }) => key === active);
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey) return;
    const acts = event.altKey
      ? movesOf(row, props)
      : keysOf(row, at, rows, { focus, setOpen }, props);
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      ref={tree}
      className="outline"
      role="tree"
      aria-label={words.outline}
      onKeyDown={onKey}
      tabIndex={-1}
    >
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          view={props}
          isActive={row.key === active}
          onFocus={() => setFocused(row.key)}
          onClick={() => {
            setFocused(row.key);
            if (row.kind === 'branch') setOpen(row.key, row.isOpen === false);
            else onEdit(row.key);
          }}
        />
      ))}
    </div>
  );
}

type Acts = Readonly<Record<string, (() => void) | undefined>>;

/** What keys do with Alt. */
function movesOf({ step }: OutlineRow, { onMove }: OutlineProps): Acts {
  if (step === undefined) return {};
  return { ArrowUp: () => onMove(step.id, -1), ArrowDown: () => onMove(step.id, 1) };
}

function keysOf(
  row: OutlineRow,
  at: number,
  rows: readonly OutlineRow[],
  tree: {
    readonly focus: (row: OutlineRow | undefined) => void;
    readonly setOpen: (key: string, isOpen: boolean) => void;
  },
  { onAdd, onEdit, onRemove }: OutlineProps,
): Acts {
  const { focus, setOpen } = tree;
  const id = row.step?.id;
  const next = () => focus(rows[at + 1]);
  const previous = () => focus(rows[at - 1]);
  const enter = () => (row.kind === 'branch' ? onAdd?.(row.gap) : onEdit(row.key));
  const remove = id === undefined ? undefined : () => onRemove(id);
  return {
    ArrowDown: next,
    j: next,
    ArrowUp: previous,
    k: previous,
    Home: () => focus(rows[0]),
    End: () => focus(rows.at(-1)),
    ArrowRight: () => (row.isOpen === false ? setOpen(row.key, true) : row.isOpen && next()),
    ArrowLeft: () =>
      row.isOpen === true
        ? setOpen(row.key, false)
        : focus(rows.find(({ key }) => key === parentKey(row))),
    Enter: enter,
    ' ': enter,
    e: enter,
    a: () => onAdd?.(row.gap),
    Delete: remove,
    Backspace: remove,
  };
}

function Row({
  row,
  view,
  isActive,
  onFocus,
  onClick,
}: {
  readonly row: OutlineRow;
  readonly view: JourneyView;
  readonly isActive: boolean;
  readonly onFocus: () => void;
  readonly onClick: () => void;
}) {
  const { key, kind, step, level, isOpen } = row;
  const isWrong = step !== undefined && view.wrong.has(step.id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys of all its rows
    <div
      role="treeitem"
      className={classNames('outline-row', kind, step && view.visited.has(step.id) && 'visited')}
      data-key={key}
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-expanded={isOpen}
      aria-selected={key === view.selected}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onClick={onClick}
    >
      {[...Array(level - 1).keys()].map((nth) => (
        <span key={nth} className="outline-indent" aria-hidden="true" />
      ))}
      {kind === 'branch' ? (
        <BranchLine row={row} steps={view.steps} />
      ) : (
        <>
          <span className="outline-sign">
            <Icon name={step === undefined ? 'play' : (stepKindOf(step)?.icon ?? 'help')} />
          </span>
          <span className="outline-text">
            <strong>{step?.id ?? words.trigger}</strong>
            <span className="soft">
              {step === undefined ? view.trigger : stepSentence(step, view.names)}
            </span>
            {step?.note !== undefined && (
              <span className="outline-note">
                <Icon name="note" />
                <span className="sr-only">{words.note}: </span>
                {step.note}
              </span>
            )}
            {step !== undefined && <StepCounts step={step} figures={view.figures} />}
          </span>
          {step !== undefined && (isWrong || !isComplete(step)) && (
            <span className={isWrong ? 'outline-wrong' : 'outline-missing'}>
              <Icon name="warning" />
              <span className="sr-only">{isWrong ? words.wrong : words.missing}</span>
            </span>
          )}
        </>
      )}
    </div>
  );
}

function BranchLine({ row, steps }: { readonly row: OutlineRow; readonly steps: readonly Step[] }) {
  const { branch = 'then', parent } = row;
  const condition = findStep(steps, parent)?.step;
  const isEmpty =
    condition === undefined || !isCondition(condition) || branchOf(condition, branch).length === 0;
  return (
    <span className="outline-branch">
      {words.branch[branch]}
      {isEmpty && <span className="soft">{words.emptyBranch}</span>}
    </span>
  );
}
