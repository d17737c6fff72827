// The sign of what a message arrives on, in its color.

import type { ReceivedMessage } from './control.ts';

const paths: Readonly<Record<ReceivedMessage['look'], string>> = {
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  browser:
    'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM3 9h18M6 7h.01M8.5 7h.01',
  email:
    'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7.5l8.5 6 8.5-6',
  chat: 'M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  call: 'M6 3h3l1.5 5-2 1.5a12 12 0 0 0 6 6l1.5-2 5 1.5v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z',
};

/** Words stand next to it. */
export function Tile({
  look,
  title,
}: {
  readonly look: ReceivedMessage['look'];
  readonly title?: string;
}) {
  return (
    <span className="inbox-tile" data-look={look} title={title}>
      <svg className="icon large" viewBox="0 0 24 24" aria-hidden="true">
        <path d={paths[look]} />
      </svg>
    </span>
  );
}
