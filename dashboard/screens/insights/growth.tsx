// New people and all people over time.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Chart } from '../../chart/chart.tsx';
import { axisTime, bucketTime } from '../../time/buckets.ts';
import { count, Figures } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { IntervalChoice, useInterval } from './report.tsx';
import { words } from './words.ts';

export default function Growth({ days }: { readonly days: number }) {
  const app = useApp();
  const [interval, setInterval] = useInterval(days);
  const growth = useRead(
    'readSubscriberGrowth',
    { query: { appId: app.id, days, interval } },
    { keepPrevious: true, everyMs: 60_000 },
  );
  return (
    <Answer result={growth} rows={8}>
      {({ buckets }) => {
        const last = buckets.at(-1);
        const chart = (name: string, values: readonly number[]) => (
          <div className="card card-body">
            <h2>{name}</h2>
            <Chart
              label={name}
              data={{
                xs: buckets.map(({ at }) => Date.parse(at)),
                series: [{ name, values }],
              }}
              xHead={words.time}
              xText={(at) => axisTime(at, interval, app.timezone)}
              xLong={(at) => bucketTime(at, interval, app.timezone)}
              yText={count}
              unfinishedFrom={last === undefined ? undefined : Date.parse(last.at)}
            />
          </div>
        );
        return (
          <>
            <div className="row">
              <span className="grow" />
              <IntervalChoice value={interval} onChange={setInterval} />
            </div>
            <Figures
              items={[
                {
                  name: words.newPeople,
                  value: count(buckets.reduce((sum, one) => sum + one.new, 0)),
                },
                { name: words.totalPeople, value: count(last?.total ?? 0) },
              ]}
            />
            {chart(
              words.newPeople,
              buckets.map((one) => one.new),
            )}
            {chart(
              words.totalPeople,
              buckets.map(({ total }) => total),
            )}
          </>
        );
      }}
    </Answer>
  );
}
