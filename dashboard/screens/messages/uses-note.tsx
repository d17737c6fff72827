// What sends the message that was just saved: the old words or the new ones.

import { Link } from 'wouter';
import { appPath } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
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
