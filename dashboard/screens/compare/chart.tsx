// People over the hours since each send, summed up, as a share of those the message went to.

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.ts';
import type { CampaignStats } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { Chart } from '../../chart/chart.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { percentText } from '../../ui/percents.ts';
import { funnelWords } from '../../words/campaign.ts';
import { alignedByHour } from './model.ts';
import { words } from './words.ts';

/** Deliveries over time count devices, so they are no share of people. */
const metrics = { opened: 'peopleOpened', clicked: 'peopleClicked' } as const;
type Metric = keyof typeof metrics;
const metricNames = Object.keys(metrics) as readonly Metric[];

export function CompareChart({
  stats,
  names,
}: {
  readonly stats: readonly CampaignStats[];
  readonly names: readonly string[];
}) {
  const [asked, setAsked] = useQueryParam('metric');
  const metric = metricNames.find((one) => one === asked) ?? 'opened';
  const data = useShares(stats, names, metric);
  if (data.series.length === 0) return <p className="soft">{words.noChart}</p>;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.chart}</h2>
        <Segmented
          label={words.chartOf}
          choices={metricNames.map((value) => ({ value, label: funnelWords[value] }))}
          value={metric}
          onChange={setAsked}
        />
      </div>
      <div className="card-body">
        <Chart
          label={words.chart}
          data={data}
          xHead={words.hour}
          xText={words.hours}
          xLong={words.afterHours}
          yText={percentText}
          step={1}
        />
      </div>
    </section>
  );
}

/** A line for each campaign that has begun. */
function useShares(stats: readonly CampaignStats[], names: readonly string[], metric: Metric) {
  const app = useApp();
  const started = stats
    .map((one, at) => ({ one, name: names[at] ?? one.name, first: one.occurrences.at(-1) }))
    .filter(({ first }) => first !== undefined);
  const results = useQueries({
    queries: started.map(({ one }) => ({
      queryKey: ['readCampaignSeries', one.campaignId, 'hour'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(
          'readCampaignSeries',
          { path: { appId: app.id, id: one.campaignId }, query: { interval: 'hour' } },
          { signal },
        ),
    })),
    combine: (all) => all.map(({ data }) => data),
  });
  const key = `${metric} ${started.map(({ name, one }) => `${name} ${one.sent}`).join('|')}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for names and numbers
  return useMemo(() => {
    const lines = alignedByHour(
      started.map(({ first }, at) => ({
        startMs: Date.parse(first?.startedAt ?? ''),
        items: (results[at]?.items ?? []).map((item) => ({
          atMs: Date.parse(item.at),
          value: item[metrics[metric]],
        })),
      })),
    );
    const shareOf = (value: number | null, sent: number) =>
      value === null || sent === 0 ? null : value / sent;
    return {
      xs: lines.xs,
      series: started.map(({ name, one }, at) => ({
        name,
        values: (lines.values[at] ?? []).map((value) => shareOf(value, one.sent)),
      })),
    };
  }, [key, results]);
}
