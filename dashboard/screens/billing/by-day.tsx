// The curve of a month: how many people of each app had been active by the end of each day. In UTC,
// as invoices are.

import { useMemo } from 'react';
import type { OrgUsage } from '../../api/generated.ts';
import { Chart } from '../../chart/chart.tsx';
import { dateFormat } from '../../time/relative.ts';
import { count } from '../../ui/figure.tsx';
import { words } from './words.ts';

const text = words.usage;
const dayMs = 86_400_000;
/** The chart has eight hues. */
const appsShown = 8;

export default function ByDay({ month }: { readonly month: OrgUsage }) {
  const data = useMemo(() => curvesOf(month), [month]);
  const last = data.xs.at(-1);
  if (last === undefined) return <p className="soft">{text.noDays}</p>;
  return (
    <>
      <p className="soft">{text.byDayText}</p>
      <Chart
        label={text.byDay}
        data={data}
        xHead={text.day}
        xText={(ms) => dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(ms)}
        xLong={(ms) => dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(ms)}
        yText={count}
        step={dayMs}
        unfinishedFrom={last + dayMs > Date.now() ? last : undefined}
      />
    </>
  );
}

/** Of the apps with the most people; deleted ones have no days. */
function curvesOf({ month, byApp }: OrgUsage) {
  const startMs = Date.parse(`${month}-01T00:00:00Z`);
  const shown = byApp
    .filter(({ mau, mauByDay }) => mau > 0 && mauByDay !== null)
    .toSorted((one, other) => other.mau - one.mau)
    .slice(0, appsShown);
  const days = Math.max(0, ...shown.map(({ mauByDay }) => mauByDay?.length ?? 0));
  return {
    xs: Array.from({ length: days }, (_, day) => startMs + day * dayMs),
    series: shown.map(({ name, mauByDay }) => ({
      name: name ?? text.older,
      values: Array.from({ length: days }, (_, day) => mauByDay?.[day] ?? null),
    })),
  };
}
