// What uses a segment, and so breaks without it.

import { Link } from 'wouter';
import type { SegmentUses } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Answer } from '../../ui/note.tsx';
import { words } from './words.ts';

/** The screen of each kind of thing. */
const screenOf: Readonly<Record<SegmentUses['items'][number]['kind'], string>> = {
  campaign: 'campaigns',
  journey: 'journeys',
};

export function useSegmentUses(id: string) {
  const app = useApp();
  return useRead('listSegmentUses', { path: { appId: app.id, id } });
}

export function Uses({ id }: { readonly id: string }) {
  const uses = useSegmentUses(id);
  return (
    <div className="stack-tight">
      <h2>{words.usesTitle}</h2>
      <Answer result={uses} rows={2}>
        {({ items }) =>
          items.length === 0 ? <p className="soft">{words.usesNone}</p> : <UsesList items={items} />
        }
      </Answer>
    </div>
  );
}

export function UsesList({ items }: Pick<SegmentUses, 'items'>) {
  const app = useApp();
  return (
    <ul className="segment-uses">
      {items.map(({ kind, id, name, state }) => (
        <li key={id}>
          <Link to={appPath(app.id, screenOf[kind], id)}>{name}</Link>
          <span className="soft">{words.use(kind, state)}</span>
        </li>
      ))}
    </ul>
  );
}
