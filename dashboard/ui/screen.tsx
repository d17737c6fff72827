// A screen's head: where one is, its title, and what one can do there; and the whole screen of a
// thing that is not read yet.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import { ErrorNote, Grey } from './note.tsx';

/** The list that this belongs to. */
interface Crumb {
  readonly to: string;
  readonly label: string;
}

export function ScreenHead({
  title,
  crumb,
  aside,
  actions,
}: {
  readonly title: ReactNode;
  readonly crumb?: Crumb;
  /** Beside the title: a state. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <header className="screen-head">
      <div className="screen-title">
        {crumb !== undefined && (
          <Link to={crumb.to} className="crumb">
            {crumb.label}
          </Link>
        )}
        <div className="row">
          <h1 tabIndex={-1}>{title}</h1>
          {aside}
        </div>
      </div>
      {actions !== undefined && <div className="screen-actions">{actions}</div>}
    </header>
  );
}

export function UnreadScreen({
  title,
  crumb,
  read,
}: {
  readonly title: string;
  readonly crumb: Crumb;
  /** `undefined` while its code loads. */
  readonly read?: { readonly error: ApiError | undefined; readonly refetch: () => unknown };
}) {
  return (
    <>
      <ScreenHead title={title} crumb={crumb} />
      <div className="screen-body">
        {read?.error === undefined ? (
          <Grey />
        ) : (
          <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
        )}
      </div>
    </>
  );
}
