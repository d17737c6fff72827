// The limits of the org, as its operator set them.

import type { OrgLimits } from '../../api/generated.ts';
import type { useRead } from '../../api/queries.ts';
import { bytes, count, Facts } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.limits;

export function Limits({
  limits,
}: {
  readonly limits: ReturnType<typeof useRead<'readOrgLimits'>>;
}) {
  const of = (n: number | null) => (n === null ? text.none : count(n));
  const lane = ({ limit, remaining }: { limit: number | null; remaining: number | null }) =>
    remaining === null ? of(limit) : `${of(limit)} · ${text.free(count(remaining))}`;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text.title}</h2>
        <span className="soft">{text.intro}</span>
      </div>
      <div className="card-body">
        <Answer result={limits} rows={4}>
          {({ lanes, batchSize, perIpPerMinute, eventsRetentionDays, storage }) => (
            <Facts
              items={[
                [text.transactional, lane(lanes.transactional)],
                [text.standard, lane(lanes.standard)],
                [text.perIp, of(perIpPerMinute)],
                [text.batch, count(batchSize)],
                [text.retention, text.days(count(eventsRetentionDays))],
                ...storedOf(storage.usedByKind),
                ...sharedOf(storage),
              ]}
            />
          )}
        </Answer>
      </div>
    </section>
  );
}

/** What client workspaces store together; nothing for an org that has none. */
function sharedOf({ clients, agencyFull }: OrgLimits['storage']): [string, string][] {
  if (agencyFull) return [[text.shared.name, text.shared.full]];
  if (clients === null || clients.usedBytes === 0) return [];
  const { usedBytes, quotaBytes } = clients;
  const used = bytes(usedBytes);
  const value = quotaBytes === null ? used : text.shared.used(used, bytes(quotaBytes));
  return [[text.shared.name, value]];
}

function storedOf(byKind: OrgLimits['storage']['usedByKind']): [string, string][] {
  const { people, events, content, pictures, webhooks } = text.stored;
  return [
    [people, bytes(byKind.people)],
    [events, bytes(byKind.events)],
    [content, bytes(byKind.content)],
    [pictures, bytes(byKind.pictures)],
    [webhooks, bytes(byKind.webhooks)],
  ];
}
