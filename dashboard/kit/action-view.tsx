// Actions in sight: one as a button, several behind three dots in a row or at the head of a page.

import type { ReactElement, ReactNode } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import type { Action } from './action.ts';
import { menuOf, useActions } from './use-actions.tsx';

export type ActionList<Thing> = readonly (Action<Thing> | 'line')[];

export function ActionMenu<Thing>({
  label,
  actions,
  thing,
  inRow = false,
  isEdited = false,
  trigger,
  onDone,
}: {
  readonly label: string;
  readonly actions: ActionList<Thing>;
  readonly thing: Thing;
  readonly inRow?: boolean;
  /** Its editor is open: a save may come between a question and its answer. */
  readonly isEdited?: boolean;
  readonly trigger?: ReactElement<Record<string, unknown>>;
  /** Before an action leads elsewhere. */
  readonly onDone?: (action: Action<Thing>) => unknown;
}) {
  const tools = useActions<Thing>({ ...(isEdited && { thing }), onDone });
  const look = inRow ? 'button quiet small icon-only row-menu' : 'button icon-only';
  return (
    <>
      <Menu
        trigger={
          trigger ?? (
            <button type="button" className={look} aria-label={label}>
              <Icon name="more" />
            </button>
          )
        }
        items={menuOf(tools, actions, thing)}
      />
      {tools.dialog}
    </>
  );
}

/** Nothing where the thing does not have the action. */
export function ActionButton<Thing>({
  action,
  thing,
  isIcon = false,
  children = action.label,
  onDone,
  ...look
}: {
  readonly action: Action<Thing>;
  readonly thing: Thing;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly size?: 'small';
  readonly isDisabled?: boolean;
  /** Its sign alone; its label is a name and a tip. */
  readonly isIcon?: boolean;
  readonly children?: ReactNode;
  /** Before it leads elsewhere. */
  readonly onDone?: () => void;
}) {
  const { refused, run, isBusy, dialog } = useActions<Thing>({ thing, onDone });
  const { icon, label } = action;
  const given = { refused: refused(action, thing), onClick: () => run(action, thing) };
  const isAsking = 'confirm' in action;
  if (action.isFor?.(thing) === false) return null;
  return (
    <>
      {isIcon && icon !== undefined ? (
        <IconButton {...given} label={label} icon={icon} size="small" />
      ) : (
        <Button {...given} {...look} icon={icon} isBusy={isBusy && !isAsking}>
          {children}
        </Button>
      )}
      {dialog}
    </>
  );
}
