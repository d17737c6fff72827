// Filters to start from, made of what the app's people have now, with exact counts.

import { Link } from 'wouter';
import type { Fields, Filter } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterInAddress, filterParam } from '../../filter/address.ts';
import { filterSentence } from '../../filter/kinds.ts';
import { appPath, withParams } from '../../ui/address.ts';
import { count } from '../../ui/figure.tsx';
import { words } from './words.ts';

const shownMax = 4;

export function Examples() {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const filters = fields.data === undefined ? [] : exampleFilters(fields.data);
  if (filters.length === 0) return null;
  return (
    <div className="segment-examples">
      <h3>{words.examples}</h3>
      <ul>
        {filters.slice(0, shownMax).map((filter) => (
          <Example key={filterSentence(filter)} filter={filter} />
        ))}
      </ul>
    </div>
  );
}

function Example({ filter }: { readonly filter: Filter }) {
  const app = useApp();
  const { data } = useRead('previewSegment', { path: { appId: app.id }, body: { filter } });
  if (data?.count === 0) return null;
  const to = withParams(appPath(app.id, 'segments', 'new'), {
    [filterParam]: filterInAddress(filter),
  });
  return (
    <li>
      <Link to={to} className="segment-example">
        <span className="grow ellipsis">{filterSentence(filter)}</span>
        <strong>{data === undefined ? '' : count(data.count)}</strong>
      </Link>
    </li>
  );
}

function exampleFilters({ tags, events, channels }: Fields): readonly Filter[] {
  const found: Filter[] = [];
  const told = tags.filter(({ top }) => top.length > 1).slice(0, 2);
  for (const { key, top } of told) if (top[0]) found.push({ tag: key, eq: top[0].value });
  if (events[0] !== undefined) found.push({ event: events[0].name, withinDays: 30 });
  found.push({ activeWithinDays: 7 });
  const [most] = [...channels].sort((one, other) => other.reachable - one.reachable);
  if (most !== undefined && most.reachable > 0) found.push({ channel: most.channel });
  return found;
}
