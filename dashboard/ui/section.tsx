// A part of a long form: what it is at the left, its controls at the right.

import type { ReactNode } from 'react';

export function Section({
  id,
  title,
  intro,
  aside,
  children,
}: {
  /** For links to this part. */
  readonly id?: string;
  readonly title: string;
  readonly intro?: ReactNode;
  /** Below the words: a state, a link. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="section" id={id}>
      <div className="section-words">
        <h2>{title}</h2>
        {intro !== undefined && <div className="soft">{intro}</div>}
        {aside}
      </div>
      <div className="card card-body stack section-controls">{children}</div>
    </section>
  );
}
