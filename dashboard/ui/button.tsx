// Buttons. One that a person may not press says why, and stays where the keyboard finds it. What is
// given beside their own properties goes to the element, so that a menu can open from them.

import { cloneElement, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

interface Look {
  readonly kind?: 'primary' | 'danger' | 'danger-primary' | 'quiet' | undefined;
  readonly size?: 'small' | undefined;
  readonly icon?: IconName | undefined;
}

interface ButtonProps extends Look {
  readonly children: ReactNode;
  readonly onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  readonly type?: 'button' | 'submit';
  readonly form?: string;
  /** A reason, shown on focus, hover and tap. */
  readonly refused?: string | undefined;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, onClick, type = 'button', refused, isBusy = false, icon, ...others } = props;
  const { kind, size, isDisabled = false, ...given } = others;
  const isOff = refused !== undefined || isDisabled || isBusy;
  const button = (
    <button
      {...given}
      type={type}
      className={looks({ kind, size })}
      aria-disabled={isOff || undefined}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (!isOff) return onClick?.(event);
        event.preventDefault();
      }}
    >
      {icon !== undefined && !isBusy && <Icon name={icon} />}
      {children}
    </button>
  );
  return refused === undefined ? button : <Tip text={refused}>{button}</Tip>;
}

/** A button that shows only a sign; `label` is its name. */
export function IconButton({
  label,
  icon,
  onClick,
  kind = 'quiet',
  size,
  refused,
  isPressed,
  ...given
}: Look & {
  readonly label: string;
  readonly icon: IconName;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly refused?: string | undefined;
  readonly isPressed?: boolean;
}) {
  return (
    <Tip text={refused ?? label} isName={refused === undefined}>
      <button
        {...given}
        type="button"
        className={`${looks({ kind, size })} icon-only`}
        aria-label={label}
        aria-disabled={refused !== undefined || undefined}
        aria-pressed={isPressed}
        onClick={(event) => (refused === undefined ? onClick?.(event) : undefined)}
      >
        <Icon name={icon} />
      </button>
    </Tip>
  );
}

/** A link within the dashboard that looks like a button. */
export function ButtonLink({
  to,
  children,
  onMouseEnter,
  ...look
}: Look & {
  readonly to: string;
  readonly children: ReactNode;
  readonly onMouseEnter?: () => void;
}) {
  return (
    <Link to={to} className={looks(look)} onMouseEnter={onMouseEnter} onFocus={onMouseEnter}>
      {look.icon !== undefined && <Icon name={look.icon} />}
      {children}
    </Link>
  );
}

function looks({ kind, size }: Look): string {
  return classNames('button', kind?.replace('-', ' '), size);
}

/**
 * A short explanation that shows on hover and focus. `tip-popup.tsx` shows it: one for the whole
 * page, because a table has hundreds of buttons.
 */
export function Tip({
  text,
  isName = false,
  children,
}: {
  readonly text: string | undefined;
  /** It is the name of what it explains, which has it already. */
  readonly isName?: boolean;
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  if (text === undefined) return children;
  return cloneElement(children, {
    'data-tip': text,
    ...(isName ? {} : { 'aria-description': text }),
  });
}
