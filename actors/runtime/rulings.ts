// What the areas decide about a message, and all that goes with a decision whatever area it belongs
// to: quota, versions, columns, consequences, recalls, notes. Looked up by kind; `areas.ts` checks
// the types.

import type { TimerRef } from '../../engine/actor/machine.ts';
import {
  type Context,
  type Decision,
  type DocumentReader,
  type Effect,
  type Entry,
  type Message,
  refused,
} from '../../engine/actor/message.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { Accepted } from '../area.ts';
import { notFound } from '../faults.ts';
import { type AnyArea, areas } from './areas.ts';
import { byKind } from './by-kind.ts';
import type { Clocks } from './clocks.ts';
import { earlierCreation, withCreation } from './creations.ts';
import { decideEdit, editsOf } from './edits.ts';
import type { Followers } from './followers.ts';
import { changesIn } from './listed-changes.ts';
import { notesOf } from './notes.ts';
import { recallsOf } from './recalls.ts';
import { AppDocuments, withRemembered } from './remembered.ts';
import type { ProductRules } from './rules.ts';
import type { AppState, PartitionState } from './state.ts';
import { storageRefusal, withStored } from './storage-quota.ts';

type Decide = (state: PartitionState, message: Message, context: Context) => Decision;
type Apply = (state: PartitionState, entry: Entry) => void;
type Refuse = (app: AppState, message: Message) => Fault | undefined;
type Unknown = (message: Message, blind: Context, decide: (blind: Context) => Decision) => Decision;

const all: readonly AnyArea[] = areas;
const edits = editsOf(all);
const refusals = byKind(({ refuses }) => refuses) as ReadonlyMap<string, Refuse>;
const unknowns = byKind(({ unknown }) => unknown) as ReadonlyMap<string, Unknown>;
const derives = all.flatMap(({ derive }) => derive ?? []);
const announces = all.flatMap(({ announce }) => announce ?? []);

export class Rulings {
  readonly applies = byKind(({ apply }) => apply) as ReadonlyMap<string, Apply>;
  readonly timers = byKind(({ timers }) => timers) as ReadonlyMap<
    string,
    (ref: TimerRef) => Message
  >;
  readonly #decisions: ReadonlyMap<string, Decide>;
  readonly #clocks: Clocks;
  readonly #followers: Followers;

  constructor(rules: ProductRules, clocks: Clocks, followers: Followers) {
    this.#decisions = byKind(({ decide }) => decide?.(rules)) as ReadonlyMap<string, Decide>;
    this.#clocks = clocks;
    this.#followers = followers;
  }

  /** What decisions read. */
  documentsOf(app: AppState, stored: DocumentReader): DocumentReader {
    return new AppDocuments(app, stored);
  }

  /** About something of another tenant: as if it did not exist. */
  ofUnknown(state: PartitionState, message: Message, context: Context): Decision {
    const { kind } = message;
    const decide = this.#decisionOf(kind);
    const answer = unknowns.get(kind);
    if (answer === undefined) return refused(notFound(/^(org|key)\./.test(kind) ? 'org' : 'app'));
    const blind = { ...context, documents: nothing };
    return answer(message, blind, (seen) => decide(state, message, seen));
  }

  of(state: PartitionState, message: Message, context: Context): Decision {
    const decide = this.#decisionOf(message.kind);
    const app = state.apps.get(context.owner);
    this.#clocks.hearBefore(app, message, context);
    const full = app && storageRefusal(state, app, message, context.nowMs);
    if (full !== undefined) return refused(full);
    const refusal = app && refusals.get(message.kind)?.(app, message);
    if (refusal !== undefined) return refused(refusal);
    const earlier = earlierCreation(state, message, context);
    if (earlier !== undefined) return earlier;
    const edit = edits.get(message.kind);
    const asked =
      edit === undefined
        ? decide(state, message, context)
        : decideEdit(edit, state, message, context, () => decide(state, message, context));
    if (asked.outcome === 'refused') return asked;
    const derived = app ? withDerived(app, message, asked, context) : asked;
    const remembered = app ? withRemembered(app, derived, context) : derived;
    const stored = app ? withStored(state, app, message, remembered, context) : remembered;
    if (stored.outcome === 'refused') return stored;
    const decision = withCreation(stored, message, context);
    this.#clocks.hearAfter(app, message, context);
    const followed = this.#followers.withFollowed(app, decision, context.nowMs);
    return withNotes(state, message, withAnnounced(state, followed, context), context);
  }

  #decisionOf(kind: string): Decide {
    const decide = this.#decisions.get(kind);
    if (decide === undefined) throw new Error(`nothing answers ${kind}`);
    return decide;
  }
}

/** Adds entries that keep in step with what the decision writes. */
function withDerived(
  app: AppState,
  message: Message,
  decision: Accepted,
  context: Context,
): Accepted {
  if (decision.documents === undefined) return decision;
  const derived: Entry[] = [];
  for (const derive of derives) {
    const follows = derive(app, message, decision, context);
    if (follows === undefined) continue;
    if ('kind' in follows) derived.push(follows);
    else derived.push(...follows);
  }
  if (derived.length === 0) return decision;
  return { ...decision, entries: [...(decision.entries ?? []), ...derived] };
}

/** What dispatchers return, what a restore must not undo, what fronts must drop, and learn. */
function withAnnounced(state: PartitionState, decision: Accepted, context: Context): Accepted {
  const { entries, effects = [] } = decision;
  if (entries === undefined) return decision;
  let more: Effect[] | undefined;
  const add = (some: readonly Effect[]) => {
    if (some.length > 0) (more ??= [...effects]).push(...some);
  };
  add(recallsOf(state, entries));
  add(changesIn(entries, context.nowMs));
  for (const announce of announces) add(announce(state, entries, context));
  return more === undefined ? decision : { ...decision, effects: more };
}

/** Adds what the audit log is told. */
function withNotes(
  state: PartitionState,
  message: Message,
  decision: Accepted,
  context: Context,
): Decision {
  const { entries } = decision;
  if (entries === undefined) return decision;
  const notes = notesOf(state, message, entries, context);
  return notes.length === 0
    ? decision
    : { ...decision, tells: [...(decision.tells ?? []), ...notes] };
}

const nothing: Context['documents'] = {
  get: () => undefined,
  lend: () => false,
  range: () => [],
};
