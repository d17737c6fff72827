// Does what actions say: finds out who may, asks, calls, tells and goes on.

import { type ReactNode, useContext, useState } from 'react';
import { useLocation } from 'wouter';
import type { OperationName } from '../api/client.ts';
import { useAnyAct } from '../api/queries.ts';
import { AppContext, useSession } from '../api/session-context.tsx';
import type { MenuItem } from '../ui/above-page.ts';
import { appPath, withParams } from '../ui/address.ts';
import { Confirm } from '../ui/dialog.tsx';
import { tellDone, tellError } from '../ui/toast.tsx';
import { actionWords } from '../words/actions.ts';
import { words } from '../words/en.ts';
import type { Action } from './action.ts';

interface Options<Thing> {
  /** As it is now, where there is only one: a save may come between the question and its answer. */
  readonly thing?: Thing;
  /** Before it leads elsewhere. */
  readonly onDone?: ((action: Action<Thing>) => unknown) | undefined;
}

interface ActionTools<Thing> {
  /** Why this person may not, or why it cannot be done now. */
  readonly refused: (action: Action<Thing>, thing: Thing) => string | undefined;
  readonly run: (action: Action<Thing>, thing: Thing) => void;
  readonly isBusy: boolean;
  /** The question or dialog that is open; stands beside what the actions are on. */
  readonly dialog: ReactNode;
}

export function useActions<Thing>({
  thing: only,
  onDone,
}: Options<Thing> = {}): ActionTools<Thing> {
  const appId = useContext(AppContext)?.id ?? '';
  const { session } = useSession();
  const [, go] = useLocation();
  const act = useAnyAct<OperationName>();
  const [asked, setAsked] = useState<{ readonly action: Action<Thing>; readonly thing: Thing }>();
  const [asks, setAsks] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  const call = (action: Action<Thing>, thing: Thing, onError?: (error: Error) => void) => {
    if (!('operation' in action)) return;
    const { operation, args, done, undo, goTo } = action;
    act.mutate(
      { ...args(thing, appId), name: operation },
      {
        onSuccess: (answer) => {
          const text = done?.(thing, answer);
          const takeBack = undo && { label: actionWords.undo, run: () => call(undo, thing, tell) };
          if (text !== undefined) tellDone(text, takeBack);
          close();
          onDone?.(action);
          if (goTo !== undefined) go(appPath(appId, ...goTo(thing, answer)));
        },
        ...(onError && { onError }),
      },
    );
  };
  const run = (action: Action<Thing>, thing: Thing) => {
    if ('run' in action) return action.run(thing, appId);
    if ('to' in action) {
      const path = appPath(appId, ...action.to(thing));
      return go(withParams(path, action.params?.(thing) ?? {}));
    }
    if ('operation' in action && action.confirm === undefined) return call(action, thing, tell);
    act.reset();
    setAsked({ action, thing });
    setAsks(asks + 1);
    setOpen(true);
  };
  const refused = ({ needs, why }: Action<Thing>, thing: Thing) => {
    const isLacking = needs !== undefined && !session.scopes.includes(needs);
    return isLacking ? words.refused(needs, session.role) : why?.(thing, session);
  };
  const dialog = asked && (
    <Asking
      key={asks}
      action={asked.action}
      thing={only ?? asked.thing}
      isOpen={isOpen}
      isBusy={act.isPending}
      error={act.error?.message}
      onConfirm={(thing) => call(asked.action, thing)}
      onClose={() => {
        close();
        act.reset();
      }}
    />
  );
  return { run, refused, isBusy: act.isPending, dialog };
}

function tell({ message }: Error): void {
  tellError(message);
}

function Asking<Thing>({
  action,
  thing,
  isOpen,
  onClose,
  onConfirm,
  ...state
}: {
  readonly action: Action<Thing>;
  readonly thing: Thing;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onConfirm: (thing: Thing) => void;
  readonly onClose: () => void;
}) {
  if ('dialog' in action) return isOpen && action.dialog(thing, onClose);
  const question = 'confirm' in action ? action.confirm?.(thing) : undefined;
  if (question === undefined) return null;
  const { title, text, typed, label = action.label } = question;
  return (
    <Confirm
      {...state}
      title={title}
      action={label}
      typed={typed}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => onConfirm(thing)}
    >
      {text}
    </Confirm>
  );
}

/** The rows of a menu. A line with nothing below it is left out. */
export function menuOf<Thing>(
  { refused, run }: ActionTools<Thing>,
  actions: readonly (Action<Thing> | 'line')[],
  thing: Thing,
): readonly MenuItem[] {
  const shown = actions.filter((one) => one === 'line' || one.isFor?.(thing) !== false);
  return shown.flatMap((one, at): MenuItem[] => {
    if (one === 'line') return at + 1 < shown.length ? [{ line: one }] : [];
    const { label, icon, isDanger = false } = one;
    const look = { label, isDanger, refused: refused(one, thing), ...(icon && { icon }) };
    return [{ ...look, onChoose: () => run(one, thing) }];
  });
}
