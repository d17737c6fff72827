// What a month used: in large numbers, by app and by client.

import type { OrgLimits, OrgUsage } from '../../api/generated.ts';
import type { useRead } from '../../api/queries.ts';
import { PlainTable } from '../../kit/plain-table.tsx';
import { Chip } from '../../ui/badge.tsx';
import { Bar, bytes, count, Figures, rate } from '../../ui/figure.tsx';
import { late } from '../../ui/late.tsx';
import { Answer, Grey } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.usage;
const ByDay = late(
  () => import('./by-day.tsx').then((file) => file.default),
  () => <Grey rows={12} />,
);

export function Usage({
  usage,
  limits,
}: {
  readonly usage: ReturnType<typeof useRead<'readUsage'>>;
  /** Of the present month only. */
  readonly limits: OrgLimits | undefined;
}) {
  return (
    <Answer result={usage} rows={6}>
      {(month) => (
        <>
          <Figures items={figuresOf(month, limits)} />
          <section className="card">
            <div className="card-head">
              <h2>{text.title}</h2>
            </div>
            <ByApp month={month} />
          </section>
          <section className="card">
            <div className="card-head">
              <h2>{text.byDay}</h2>
            </div>
            <div className="card-body">
              <ByDay month={month} />
            </div>
          </section>
          {month.clients.length > 0 && (
            <section className="card">
              <div className="card-head">
                <h2>{text.clients}</h2>
              </div>
              <ByClient month={month} />
            </section>
          )}
        </>
      )}
    </Answer>
  );
}

function figuresOf({ mau, emails }: OrgUsage, limits: OrgLimits | undefined) {
  const name = words.figures;
  const allowance =
    emails.included === null ? name.unlimited : name.ofAllowance(count(emails.included));
  const figures = [
    { name: name.mau, value: count(mau), note: name.mauNote },
    {
      name: name.emails,
      value: count(emails.delivered),
      note: emails.overage > 0 ? name.over(count(emails.overage)) : allowance,
    },
  ];
  if (limits === undefined) return figures;
  const { cap, used } = limits.dailySends;
  const { quotaBytes, usedBytes } = limits.storage;
  return [
    ...figures,
    {
      name: name.today,
      value: count(used),
      note: cap === null ? name.unlimited : name.ofCap(count(cap)),
    },
    {
      name: name.storage,
      value: bytes(usedBytes),
      note: quotaBytes === null ? name.unlimited : name.ofQuota(bytes(quotaBytes)),
    },
  ];
}

function ByApp({ month }: { readonly month: OrgUsage }) {
  const apps = month.byApp.toSorted((one, other) => other.mau - one.mau);
  if (apps.length === 0) return <p className="card-body soft">{text.none}</p>;
  return (
    <PlainTable
      columns={[
        { head: text.app, cell: (one) => <AppName one={one} /> },
        { head: text.mau, isNumber: true, cell: ({ mau }) => count(mau) },
        {
          head: text.share,
          className: 'usage-share',
          cell: ({ name, mau }) => (
            <Bar
              label={`${name ?? text.older}: ${rate(mau, month.mau)}`}
              part={mau}
              all={month.mau}
            />
          ),
        },
      ]}
      rows={apps}
      keyOf={({ appId }) => appId ?? 'older'}
    />
  );
}

function AppName({ one }: { readonly one: OrgUsage['byApp'][number] }) {
  const { name, deleted, unvouched } = one;
  return (
    <>
      {name ?? text.older} {deleted && <Chip>{text.deleted}</Chip>}
      {unvouched !== null && unvouched > 0 && (
        <span className="field-hint usage-note">{text.unvouched(unvouched)}</span>
      )}
    </>
  );
}

function ByClient({ month }: { readonly month: OrgUsage }) {
  return (
    <PlainTable
      columns={[
        { head: text.client, cell: ({ name }) => name },
        { head: text.mau, isNumber: true, cell: ({ mau }) => count(mau) },
        { head: text.emails, isNumber: true, cell: ({ emails }) => count(emails.delivered) },
        { head: text.beyond, isNumber: true, cell: ({ emails }) => count(emails.overage) },
      ]}
      rows={month.clients}
      keyOf={({ orgId }) => orgId}
    />
  );
}
