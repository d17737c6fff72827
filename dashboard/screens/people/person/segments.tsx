// Which segments the person is in, and why, or why not.

import { useState } from 'react';
import { Link } from 'wouter';
import type { SegmentMembership, Subscriber } from '../../../api/generated.ts';
import { useList, useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { ExplainedConditions } from '../../../filter/explained.tsx';
import { appPath } from '../../../ui/address.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ErrorNote, Grey } from '../../../ui/note.tsx';
import { segmentsOf } from './person-lists.ts';
import { words } from './words.ts';

export function Segments({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const list = useList('listSubscriberSegments', segmentsOf(app.id, person.id));
  return (
    <section className="card card-body stack-tight">
      <h2>{words.segments}</h2>
      {list.error !== undefined && <ErrorNote error={list.error} onAgain={list.again} />}
      {list.isLoading && <Grey rows={2} />}
      {list.items?.length === 0 && <p className="soft">{words.noSegments}</p>}
      <ul className="person-segments">
        {list.items?.map((segment) => (
          <Membership key={segment.id} segment={segment} person={person} />
        ))}
      </ul>
      {list.hasMore && (
        <Button size="small" kind="quiet" onClick={list.more}>
          {words.moreSegments}
        </Button>
      )}
    </section>
  );
}

function Membership({
  segment,
  person,
}: {
  readonly segment: SegmentMembership;
  readonly person: Subscriber;
}) {
  const app = useApp();
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useRead(
    'explainSegment',
    { path: { appId: app.id, id: segment.id }, query: { subscriberId: person.id } },
    { enabled: isOpen },
  );
  return (
    <li>
      <div className="row-between">
        <Link to={appPath(app.id, 'segments', segment.id)} className="grow ellipsis">
          {segment.name}
        </Link>
        <Badge tone={segment.matches ? 'good' : 'off'}>
          {segment.matches ? words.inSegment : words.notInSegment}
        </Badge>
        <IconButton
          label={words.why(segment.name)}
          icon={isOpen ? 'up' : 'down'}
          size="small"
          isPressed={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {error !== undefined && <p className="field-error">{error.message}</p>}
      {isOpen && data !== undefined && <ExplainedConditions explained={data} />}
    </li>
  );
}
