// A screen's head: where one is, its title, and what one can do there.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

export function ScreenHead({
  title,
  crumb,
  aside,
  actions,
}: {
  readonly title: ReactNode;
  /** The list that this belongs to. */
  readonly crumb?: { readonly to: string; readonly label: string };
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
