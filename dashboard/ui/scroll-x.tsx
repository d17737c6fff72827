// What may be wider than the page scrolls by itself, and by the keyboard too.

import type { ReactNode } from 'react';
import { words } from '../words/en.ts';
import { classNames } from './class-names.ts';

export function ScrollX({
  isCard = false,
  children,
}: {
  readonly isCard?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={classNames('scroll-x', isCard && 'card')}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={words.table.wide}
    >
      {children}
    </div>
  );
}
