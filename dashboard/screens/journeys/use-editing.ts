// What one can do with steps: open, add, copy, paste, duplicate, move, delete; by buttons, by keys,
// and by the clipboard, where a step is its JSON.

import { useEffect, useRef, useState } from 'react';
import type { StepKind } from '../../canvas/kind.ts';
import {
  allSteps,
  type Found,
  freeId,
  type Gap,
  insertAt,
  moveStep,
  parseSteps,
  removeStep,
  renamed,
  replaceStep,
  type Step,
  takenIds,
} from '../../canvas/model.ts';
import { triggerKey } from '../../canvas/outline.ts';
import { focusRow } from '../../canvas/outline.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

export interface Editing {
  /** A step's id, or the trigger's key. */
  open(key: string): void;
  /** Where a step is being added. */
  readonly gap: Gap | undefined;
  askAdd(gap: Gap): void;
  addAfter(): void;
  add(kind: StepKind): void;
  closeAdd(): void;
  /** What was copied here. */
  readonly copied: readonly Step[] | undefined;
  paste(steps: readonly Step[]): void;
  copy(): void;
  duplicate(): void;
  remove(id: string): void;
  move(id: string, by: -1 | 1): void;
  replace(id: string, next: Step): void;
}

interface Options {
  readonly tools: JourneyTools;
  /** The step that is open. */
  readonly found: Found | undefined;
  readonly isFrozen: boolean;
  readonly select: (id: string | undefined) => void;
  readonly showPanel: (panel: string | undefined) => void;
}

let clipboard: readonly Step[] | undefined;

export function useEditing({ tools, found, isFrozen, select, showPanel }: Options): Editing {
  const { draft, change } = tools;
  const { steps } = draft;
  const [gap, setGap] = useState<Gap>();
  const [, redraw] = useState(0);
  const open = (key: string) => {
    select(key === triggerKey ? undefined : key);
    showPanel(key === triggerKey ? 'settings' : 'step');
  };
  const after: Gap =
    found === undefined ? { index: steps.length } : { ...found.gap, index: found.gap.index + 1 };
  const put = (added: readonly Step[], at: Gap) => {
    const fresh = renamed(added, takenIds(steps));
    change({ steps: insertAt(steps, at, fresh) });
    setGap(undefined);
    const first = fresh[0];
    if (first === undefined) return;
    open(first.id);
    // The dialog, which knows where, gives the focus itself.
    if (gap === undefined) focusRow(first.id);
  };
  const copy = () => {
    if (found === undefined) return;
    clipboard = [found.step];
    redraw((n) => n + 1);
    const text = JSON.stringify(found.step, null, 2);
    navigator.clipboard.writeText(text).catch(() => undefined);
    tellDone(words.stepCopied);
  };
  const editing: Editing = {
    open,
    gap,
    askAdd: (at) => isFrozen || setGap(at),
    addAfter: () => isFrozen || setGap(after),
    add: (kind) => {
      if (gap !== undefined) put([kind.blank(freeId(kind.name, takenIds(steps)))], gap);
    },
    closeAdd: () => setGap(undefined),
    copied: clipboard,
    paste: (added) => {
      if (isFrozen) return;
      put(added, gap ?? after);
      tellDone(words.pasted(added.length));
    },
    copy,
    duplicate: () => {
      if (found !== undefined && !isFrozen) put([found.step], after);
    },
    remove: (id) => {
      const gone = allSteps(steps).find(({ step }) => step.id === id);
      if (isFrozen || gone === undefined) return;
      const { siblings, gap: at } = gone;
      change({ steps: removeStep(steps, id) });
      const next = siblings[at.index + 1] ?? siblings[at.index - 1];
      select(next?.id ?? at.parent);
      const count = allSteps([gone.step]).length;
      tellDone(words.stepRemoved(id, count), { label: words.undo, run: () => tools.undo() });
    },
    move: (id, by) => {
      if (!isFrozen) change({ steps: moveStep(steps, id, by) });
    },
    replace: (id, next) => {
      change({ steps: replaceStep(steps, id, next) }, `step ${id}`);
      if (next.id !== id) select(next.id);
    },
  };
  useClipboard(editing, found?.step, isFrozen);
  return editing;
}

/** The browser's own copy and paste, which need no permission. */
function useClipboard(editing: Editing, step: Step | undefined, isFrozen: boolean): void {
  const latest = useRef({ editing, step, isFrozen });
  latest.current = { editing, step, isFrozen };
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const { step: chosen } = latest.current;
      if (chosen === undefined || isTextual(event.target) || hasSelection()) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', JSON.stringify(chosen, null, 2));
      clipboard = [chosen];
      tellDone(words.stepCopied);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (latest.current.isFrozen || isTextual(event.target)) return;
      const steps = parseSteps(event.clipboardData?.getData('text/plain') ?? '') ?? clipboard;
      event.preventDefault();
      if (steps === undefined) tellError(words.nothingToPaste);
      else latest.current.editing.paste(steps);
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, []);
}

function isTextual(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, [contenteditable="true"], [data-editor]') !== null
  );
}

function hasSelection(): boolean {
  return (getSelection()?.toString() ?? '') !== '';
}
