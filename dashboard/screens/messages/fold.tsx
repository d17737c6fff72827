// A part of the editor that is closed until it is wanted. Its summary says what is set in it.

import { type ReactNode, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';

export function Fold({
  title,
  note,
  isSet,
  hasProblem,
  children,
}: {
  readonly title: string;
  readonly note: string;
  /** Open from the start. */
  readonly isSet: boolean;
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}) {
  const [wasSet] = useState(isSet);
  return (
    <details className="card fold" open={wasSet || hasProblem || undefined}>
      <summary>
        <Icon name="right" />
        <strong>{title}</strong>
        <span className="soft">{note}</span>
      </summary>
      <div className="card-body stack">{children}</div>
    </details>
  );
}
