// Some of the people who match the filter that is edited, and the way to all of them.

import { Link } from 'wouter';
import type { Filter } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterInAddress, filterParam } from '../../filter/address.ts';
import { PersonName } from '../../person/person-name.tsx';
import { bestAddress } from '../../person/person-ref.ts';
import { appPath, withParams } from '../../ui/address.ts';
import { Grey } from '../../ui/note.tsx';
import { words } from './words.ts';

const sampled = 5;

export function Sample({
  filter,
  isReady,
}: {
  readonly filter: Filter | undefined;
  readonly isReady: boolean;
}) {
  const app = useApp();
  const { data, error } = useRead(
    'searchSubscribers',
    {
      path: { appId: app.id },
      body: { ...(filter === undefined ? {} : { filter }), limit: sampled, tags: [] },
    },
    { keepPrevious: true, enabled: isReady },
  );
  if (data === undefined && error === undefined && isReady) return <Grey rows={6} />;
  if (data === undefined || data.items.length === 0 || !isReady) return null;
  const all = withParams(appPath(app.id, 'people'), { [filterParam]: filterInAddress(filter) });
  return (
    <div className="segment-sample">
      <h3>{words.now}</h3>
      <ul>
        {data.items.map((one) => (
          <li key={one.id}>
            <Link to={appPath(app.id, 'people', one.id)}>
              <PersonName person={one} />
            </Link>
            <span className="soft ellipsis">{bestAddress(one)}</span>
          </li>
        ))}
      </ul>
      <Link to={all}>{words.seeAll}</Link>
    </div>
  );
}
