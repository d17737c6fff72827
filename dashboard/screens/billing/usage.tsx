// What a month used: in large numbers, by app and by client.

import type { OrgLimits, OrgUsage } from '../../api/generated.ts';
import type { useRead } from '../../api/queries.ts';
import { Chip } from '../../ui/badge.tsx';
import { Bar, bytes, count, Figures, rate } from '../../ui/figure.tsx';
import { late } from '../../ui/late.tsx';
import { Answer, Grey } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
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
    <ScrollX>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{text.app}</th>
            <th scope="col" className="end">
              {text.mau}
            </th>
            <th scope="col" className="usage-share">
              {text.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ appId, name, deleted, mau, unvouched }) => (
            <tr key={appId ?? 'older'}>
              <td>
                {name ?? text.older} {deleted && <Chip>{text.deleted}</Chip>}
                {unvouched !== null && unvouched > 0 && (
                  <span className="field-hint usage-note">{text.unvouched(unvouched)}</span>
                )}
              </td>
              <td className="end">{count(mau)}</td>
              <td className="usage-share">
                <Bar
                  label={`${name ?? text.older}: ${rate(mau, month.mau)}`}
                  part={mau}
                  all={month.mau}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function ByClient({ month }: { readonly month: OrgUsage }) {
  return (
    <ScrollX>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{text.client}</th>
            <th scope="col" className="end">
              {text.mau}
            </th>
            <th scope="col" className="end">
              {text.emails}
            </th>
            <th scope="col" className="end">
              {text.beyond}
            </th>
          </tr>
        </thead>
        <tbody>
          {month.clients.map(({ orgId, name, mau, emails }) => (
            <tr key={orgId}>
              <td>{name}</td>
              <td className="end">{count(mau)}</td>
              <td className="end">{count(emails.delivered)}</td>
              <td className="end">{count(emails.overage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
