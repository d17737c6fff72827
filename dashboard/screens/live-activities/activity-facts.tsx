// Whose Live Activity it is, its id, and what it was started with.

import { Link } from 'wouter';
import type { LiveActivity } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { personName } from '../../person/person-ref.ts';
import { appPath } from '../../ui/address.ts';
import { Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { words } from './words.ts';

export function ActivityFacts({ activity }: { readonly activity: LiveActivity }) {
  const app = useApp();
  const person = useRead('readSubscriber', {
    path: { appId: app.id, id: activity.subscriberId },
  });
  return (
    <Facts
      items={[
        [
          words.person,
          <Link key="p" to={appPath(app.id, 'people', activity.subscriberId)}>
            {person.data === undefined ? activity.subscriberId : personName(person.data)}
          </Link>,
        ],
        [words.id, <Copyable key="i" text={activity.id} />],
        ...(activity.attributes === null
          ? []
          : [
              [
                words.attributes,
                <code key="a">{JSON.stringify(activity.attributes, undefined, 1)}</code>,
              ] as const,
            ]),
      ]}
    />
  );
}
