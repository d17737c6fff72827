// Since when and how an address opted out, with the way to its record.

import { Link } from 'wouter';
import type { Device } from '../api/generated.ts';
import { useApp } from '../api/session-context.tsx';
import { exactTime, shortDate } from '../time/relative.ts';
import { appPath } from '../ui/address.ts';
import { useNow } from '../ui/time.tsx';
import { optOutBy, optOutNote } from '../words/opt-outs.ts';
import { personWords } from '../words/person.ts';
import { addressOf } from './person-ref.ts';

export function OptOutSince({ device }: { readonly device: Device }) {
  const app = useApp();
  const nowMs = useNow();
  const { suppressed, channel } = device;
  if (suppressed === null) return null;
  const note = optOutNote(suppressed);
  const query = new URLSearchParams({ channel, q: addressOf(device) });
  const atMs = suppressed.at === null ? undefined : Date.parse(suppressed.at);
  return (
    <Link to={`${appPath(app.id, 'suppressions')}?${query}`}>
      {atMs !== undefined && (
        <>
          {personWords.since}{' '}
          <time dateTime={new Date(atMs).toISOString()} title={exactTime(atMs)}>
            {shortDate(atMs, nowMs)}
          </time>{' '}
        </>
      )}
      {optOutBy(suppressed)}
      {note !== '' && `: ${note}`}
    </Link>
  );
}
