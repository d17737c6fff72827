// What uses a message: on saving, whether it sends the old words or the new ones; before deleting,
// what would break.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Note } from '../../ui/note.tsx';
import type { Uses } from './use-saving.ts';
import { words } from './words.ts';

export function UsesNote({ uses }: { readonly uses: Uses }) {
  const app = useApp();
  const { inUse, inUseTotal } = uses;
  if (inUse.length === 0) return undefined;
  const left = inUseTotal - inUse.length;
  return (
    <Note>
      <strong>{words.uses.title}</strong>
      <ul>
        {inUse.map(({ type, id, name, copied }) => (
          <li key={id}>
            <Link to={appPath(app.id, type === 'campaign' ? 'campaigns' : 'journeys', id)}>
              {name}
            </Link>{' '}
            <span className="soft">{copied ? words.uses.copied : words.uses.next}</span>
          </li>
        ))}
        {left > 0 && <li>{words.uses.more(left)}</li>}
      </ul>
    </Note>
  );
}

const screens = { campaign: 'campaigns', journey: 'journeys', in_app_message: 'inapp' } as const;

export function UsedBy({ id }: { readonly id: string }) {
  const app = useApp();
  const { data } = useRead('listMessageUses', { path: { appId: app.id, id } });
  if (data === undefined) return undefined;
  const left = data.total - data.items.length;
  if (data.total === 0) return <p className="soft">{words.uses.none}</p>;
  return (
    <Note tone="notice">
      <strong>{words.uses.title}</strong>
      <ul>
        {data.items.map((one) => (
          <li key={one.id}>
            <Link to={appPath(app.id, screens[one.kind], one.id)}>
              {one.name ?? words.uses.kinds[one.kind]}
            </Link>{' '}
            <span className="soft">{one.state}</span>
          </li>
        ))}
        {left > 0 && <li>{words.uses.more(left)}</li>}
      </ul>
    </Note>
  );
}
