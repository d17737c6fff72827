// One fold of the editor: its title, a line that sums it up while it is closed, and what is wrong.

import { type ReactNode, useId } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { words } from './words.ts';

export function Fold({
  title,
  summary,
  isOpen,
  lacks = 0,
  hasError = false,
  onToggle,
  children,
}: {
  readonly title: string;
  readonly summary: ReactNode;
  readonly isOpen: boolean;
  /** How many things are missing here. */
  readonly lacks?: number;
  readonly hasError?: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classNames('card', 'fold', isOpen && 'open')}>
      <h2>
        <button
          type="button"
          className="fold-head"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
          <span className="fold-title">{title}</span>
          <span className="fold-summary ellipsis">{!isOpen && summary}</span>
          {hasError && <Badge tone="bad">{words.foldError}</Badge>}
          {!hasError && lacks > 0 && <Badge tone="notice">{words.foldLacks(lacks)}</Badge>}
        </button>
      </h2>
      <div className="fold-body stack" id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </section>
  );
}
