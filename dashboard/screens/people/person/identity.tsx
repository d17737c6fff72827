// Who the person is: ids, time zone, when they came and were last here.

import type { Subscriber } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { Copyable } from '../../../ui/code.tsx';
import { Facts } from '../../../ui/figure.tsx';
import { Time } from '../../../ui/time.tsx';
import { InPlace } from './in-place.tsx';
import { words } from './words.ts';

export function Identity({ person }: { readonly person: Subscriber }) {
  const { externalUserId, id, createdAt, lastActiveAt } = person;
  return (
    <section className="card card-body stack-tight">
      <h2>{words.identity}</h2>
      <Facts
        items={[
          [
            words.externalId,
            externalUserId === null ? (
              <span key="none" className="soft">
                {words.noExternalId}
              </span>
            ) : (
              <Copyable key="external" text={externalUserId} />
            ),
          ],
          [words.id, <Copyable key="id" text={id} />],
          [words.timezone, <Zone key="zone" person={person} />],
          [words.created, <Time key="created" at={createdAt} />],
          [words.lastActive, <Time key="active" at={lastActiveAt} />],
        ]}
      />
    </section>
  );
}

function Zone({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const refused = useRefusal('write');
  const update = useAct('updateSubscriber');
  return (
    <InPlace
      value={person.timezone}
      none={words.noTimezone}
      base={person}
      label={words.zoneLabel}
      editLabel={words.edit}
      suggestions={zones}
      refused={refused}
      error={update.error?.message}
      isBusy={update.isPending}
      onSave={(timezone, base, onDone) =>
        update.mutate(
          { path: { appId: app.id, id: person.id }, body: { timezone }, base },
          { onSuccess: onDone, onTheirs: onDone },
        )
      }
    />
  );
}

const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));
