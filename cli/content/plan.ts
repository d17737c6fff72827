// What a push would do: for each thing create, change, delete or nothing; and what it must not do
// because somebody changed the server since.

import { fileOf } from './files.ts';
import type { Kind } from './kinds.ts';
import type { PulledThings } from './pulled.ts';
import type { RemoteThing } from './remote.ts';
import { type Content, differences, type Handle, hashOf } from './thing.ts';

/** One thing that a push does. */
export interface PushStep {
  readonly does: 'create' | 'change' | 'delete';
  readonly kind: Kind;
  readonly handle: Handle;
  /** As it shall be; empty if it is deleted. */
  readonly content: Content;
  /** What changes; `null` clears a field. */
  readonly fields: readonly string[];
  readonly remote: RemoteThing | undefined;
}

/** A push, before it is made. */
export interface PushPlan {
  readonly steps: readonly PushStep[];
  readonly unchanged: readonly RemoteThing[];
  /** Why the push is refused, unless it is forced. */
  readonly conflicts: readonly string[];
  /** What is left as it is, and why. */
  readonly notes: readonly string[];
}

/** What a plan is made from. */
interface PlanParts {
  readonly files: ReadonlyMap<Handle, Content>;
  /** The kinds that the folder has: nothing of another is deleted. */
  readonly folders: ReadonlySet<string>;
  readonly remote: ReadonlyMap<Handle, RemoteThing>;
  readonly pulled: PulledThings;
  readonly kindOf: (handle: Handle) => Kind;
  readonly clearable: (kind: Kind) => ReadonlySet<string>;
  /** Files of campaigns that were sent or scheduled since. */
  readonly sent: ReadonlySet<Handle>;
  readonly prune: boolean;
  readonly force: boolean;
}

export function pushPlanOf(parts: PlanParts): PushPlan {
  const { files, remote, pulled, kindOf, sent, force } = parts;
  const steps: PushStep[] = [];
  const unchanged: RemoteThing[] = [];
  const conflicts: string[] = [];
  const notes: string[] = [];
  const add = (step: PushStep, conflict: string | undefined) => {
    if (conflict !== undefined && !force) conflicts.push(`${fileOf(step.handle)}: ${conflict}`);
    steps.push(step);
  };
  for (const [handle, content] of files) {
    const kind = kindOf(handle);
    const there = remote.get(handle);
    if (sent.has(handle)) notes.push(`${fileOf(handle)}: is no longer a draft; it stays as it is`);
    else if (there === undefined) {
      const step = { does: 'create', kind, handle, content, fields: [], remote: there } as const;
      const wasThere = pulled.of(handle) !== undefined;
      add(step, wasThere ? 'was deleted on the server since it was pulled' : undefined);
    } else {
      const wanted = { ...kept(there.content, content, parts.clearable(kind)), ...content };
      const fields = differences(wanted, there.content);
      const step = {
        does: 'change',
        kind,
        handle,
        content: wanted,
        fields,
        remote: there,
      } as const;
      if (fields.length === 0) unchanged.push(there);
      else add(step, changedSince(there, pulled));
    }
  }
  if (parts.prune)
    for (const [handle, there] of remote) {
      if (files.has(handle) || !parts.folders.has(there.kind.folder)) continue;
      const { kind } = there;
      const step = {
        does: 'delete',
        kind,
        handle,
        content: {},
        fields: [],
        remote: there,
      } as const;
      add(step, changedSince(there, pulled));
    }
  return { steps: inOrder(steps), unchanged, conflicts, notes };
}

/** Fields that the file lacks and that cannot be cleared stay as they are. */
function kept(there: Content, file: Content, clearable: ReadonlySet<string>): Content {
  return Object.fromEntries(
    Object.entries(there).filter(([name]) => !(name in file) && !clearable.has(name)),
  );
}

function changedSince({ handle, content, kind }: RemoteThing, pulled: PulledThings) {
  const before = pulled.of(handle);
  if (before === undefined)
    return kind.folder === '' ? 'was never pulled' : 'is on the server, and was never pulled';
  return before.hash === hashOf(content)
    ? undefined
    : 'was changed on the server since it was pulled';
}

/** What others refer to is created before them and deleted after them. */
function inOrder(steps: readonly PushStep[]): readonly PushStep[] {
  return [
    ...steps.filter(({ does }) => does !== 'delete'),
    ...steps.filter(({ does }) => does === 'delete').reverse(),
  ];
}

/** The plan for people: a line for each step. */
export function planText({ steps, unchanged, notes }: PushPlan): readonly string[] {
  const lines = steps.map(({ does, handle, fields }) => {
    const what = does === 'change' ? `  ${fields.join(', ')}` : '';
    return `${does.padEnd(8)}${fileOf(handle)}${what}`;
  });
  return [...lines, ...notes, `${unchanged.length} unchanged`];
}
