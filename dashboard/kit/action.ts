// An action is a value: one definition of what one can do with a thing. Its row's menu, the page's
// head, a shortcut, the refusal, the question before it and the toast after it follow from it.

import type { ReactNode } from 'react';
import type { AnswerOf, OperationName } from '../api/client.ts';
import type { Asked } from '../api/queries.ts';
import type { Scope, SignedIn } from '../api/session-context.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { actionWords } from '../words/actions.ts';

/** Parts of an address within the app: its screen, and what follows. */
export type AppPlace = readonly [string, ...(readonly string[])];

interface Facts<Thing> {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  /** The scope that it needs; none if it only reads. */
  readonly needs?: Scope;
  /** Whether this thing has the action; true by default. */
  readonly isFor?: (thing: Thing) => boolean;
  /** Why it cannot be done with this thing now. */
  readonly why?: (thing: Thing, session: SignedIn) => string | undefined;
}

interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** What must be typed first. */
  readonly typed?: string | undefined;
  /** What its button says; the action's label by default. */
  readonly label?: string;
}

/** A change by one operation of the API. */
interface Change<Thing, Name extends OperationName> {
  readonly operation: Name;
  readonly args: (thing: Thing, appId: string) => Asked<Name>;
  /** Asks first. */
  readonly confirm?: (thing: Thing) => Question;
  /** What the toast says. */
  readonly done?: (thing: Thing, answer: AnswerOf<Name>) => string;
  /** The action that takes it back, offered by the toast. */
  readonly undo?: Action<Thing>;
  /** Where it leads. */
  readonly goTo?: (thing: Thing, answer: AnswerOf<Name>) => AppPlace;
}

export type Action<Thing> = Facts<Thing> &
  (
    | Change<Thing, OperationName>
    /** A place in the app. */
    | {
        readonly to: (thing: Thing) => AppPlace;
        /** Of its address. */
        readonly params?: (thing: Thing) => Readonly<Record<string, string>>;
      }
    | { readonly run: (thing: Thing, appId: string) => void }
    /** Opens a dialog of its own. */
    | { readonly dialog: (thing: Thing, onClose: () => void) => ReactNode }
  );

/** Makes changes of one kind of thing, each checked against its own operation. */
export function actionsOn<Thing>() {
  return <Name extends OperationName>(change: Facts<Thing> & Change<Thing, Name>): Action<Thing> =>
    change as unknown as Action<Thing>;
}

interface Saved {
  readonly id: string;
  readonly etag: string;
}

/** The arguments of a call that names a thing of an app. */
export function named({ id }: Pick<Saved, 'id'>, appId: string) {
  return { path: { appId, id } };
}

/** The same, of the version that is shown. */
export function asShown(thing: Saved, appId: string) {
  return { ...named(thing, appId), base: thing };
}

/** What actions that delete have in common. */
export function removing(label: string, needs: Scope = 'write') {
  return { id: 'remove', label, icon: 'trash', isDanger: true, needs } as const;
}

/** What actions that make a copy have in common. */
export const duplicating = {
  id: 'duplicate',
  label: actionWords.duplicate,
  icon: 'copy',
  needs: 'write',
  args: (one: Pick<Saved, 'id'>, appId: string) => ({ ...named(one, appId), body: {} }),
} as const;
