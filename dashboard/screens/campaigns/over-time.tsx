// Deliveries, opens and clicks since the campaign began. The interval stands in the address.

import { useMemo } from 'react';
import type { Campaign, CampaignSeries } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Chart } from '../../chart/chart.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { count } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { funnelWords } from '../../words/campaign.ts';
import { words } from './words.ts';

type Interval = CampaignSeries['interval'];

const intervalMs: Readonly<Record<Interval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

const intervals = Object.keys(intervalMs) as readonly Interval[];

export function OverTime({ campaign }: { readonly campaign: Campaign }) {
  const app = useApp();
  const [asked, setAsked] = useQueryParam('interval');
  const interval = intervals.find((one) => one === asked) ?? fitting(campaign);
  const series = useRead(
    'readCampaignSeries',
    { path: { appId: app.id, id: campaign.id }, query: { interval } },
    { keepPrevious: true },
  );
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.page.overTime}</h2>
        <Segmented
          label={words.page.interval}
          choices={intervals.map((value) => ({ value, label: words.page.intervals[value] }))}
          value={interval}
          onChange={setAsked}
        />
      </div>
      <div className="card-body">
        <p className="soft">{words.page.overTimeCounts}</p>
        <Answer result={series} rows={11}>
          {(data) => <SeriesChart series={data} zone={app.timezone} />}
        </Answer>
      </div>
    </section>
  );
}

/** Hours for the first two days, then days; minutes while it is young. */
function fitting({ startedAt }: Campaign): Interval {
  const ageMs = Date.now() - Date.parse(startedAt ?? new Date().toISOString());
  if (ageMs < 2 * intervalMs.hour) return 'minute';
  return ageMs < 4 * intervalMs.day ? 'hour' : 'day';
}

function SeriesChart({
  series: { interval, items },
  zone,
}: {
  readonly series: CampaignSeries;
  readonly zone: string;
}) {
  const data = useMemo(
    () => ({
      xs: items.map(({ at }) => Date.parse(at)),
      series: [
        { name: funnelWords.delivered, values: items.map((one) => one.delivered) },
        { name: funnelWords.opened, values: items.map((one) => one.peopleOpened) },
        { name: funnelWords.clicked, values: items.map((one) => one.peopleClicked) },
      ],
    }),
    [items],
  );
  const { short, long } = useMemo(() => formats(interval, zone), [interval, zone]);
  const last = data.xs.at(-1);
  if (last === undefined) return <p className="soft">{words.page.noSeries}</p>;
  const isOpen = last + intervalMs[interval] > Date.now();
  return (
    <Chart
      label={words.page.overTime}
      data={data}
      xHead={words.page.intervals[interval]}
      xText={short}
      xLong={long}
      yText={count}
      step={intervalMs[interval]}
      unfinishedFrom={isOpen ? last : undefined}
    />
  );
}

function formats(interval: Interval, timeZone: string) {
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const short = new Intl.DateTimeFormat('en-GB', interval === 'day' ? day : clock);
  const dated = new Intl.DateTimeFormat('en-GB', interval === 'day' ? day : { ...day, ...clock });
  return {
    short: (ms: number) => (interval === 'hour' ? dated : short).format(ms),
    long: (ms: number) => `${dated.format(ms)} (${timeZone})`,
  };
}
