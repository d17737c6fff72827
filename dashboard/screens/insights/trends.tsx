// How often events happened, up to eight of them in one chart.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Chart } from '../../chart/chart.tsx';
import { axisTime, bucketTime } from '../../time/buckets.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { EventOriginChoice, useEventOrigin } from '../../ui/event-origin.tsx';
import { count } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { IntervalChoice, PeopleLink, useInterval } from './report.tsx';
import { words } from './words.ts';

const shownMax = 8;

export default function Trends({ days }: { readonly days: number }) {
  const app = useApp();
  const [text, setText] = useQueryParam('events');
  const chosen = (text ?? '').split(',').filter(Boolean);
  const [origin, setOrigin] = useEventOrigin();
  const [interval, setInterval] = useInterval(days);
  const trends = useRead(
    'readEventTrends',
    {
      query: {
        appId: app.id,
        days,
        interval,
        ...(chosen.length === 0 ? { origin } : { events: chosen.join(',') }),
      },
    },
    { keepPrevious: true, everyMs: 60_000 },
  );
  return (
    <>
      <div className="row">
        <Names chosen={chosen} onChange={(next) => setText(next.join(','))} />
        {chosen.length === 0 && <EventOriginChoice value={origin} onChange={setOrigin} />}
        <span className="grow" />
        <IntervalChoice value={interval} onChange={setInterval} />
      </div>
      <Answer result={trends} rows={8}>
        {({ buckets }) => {
          const found = namesIn(buckets, chosen);
          if (found.length === 0)
            return (
              <Empty icon="insights" title={words.noEvents[origin]}>
                {words.noEventsText[origin]}
              </Empty>
            );
          return <Drawn buckets={buckets} names={found} days={days} interval={interval} />;
        }}
      </Answer>
    </>
  );
}

/** The events that are chosen, and the field that adds one. */
function Names({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <>
      {chosen.map((name) => (
        <Button
          key={name}
          size="small"
          icon="close"
          onClick={() => onChange(chosen.filter((one) => one !== name))}
        >
          {name}
        </Button>
      ))}
      {chosen.length < shownMax && (
        <div className="search-box">
          <EventBox
            key={chosen.length}
            label={words.addEvent}
            placeholder={words.addEvent}
            value=""
            onChange={() => undefined}
            onChoose={(name) => onChange([...new Set([...chosen, name])])}
          />
        </div>
      )}
    </>
  );
}

function Drawn({
  buckets,
  names,
  days,
  interval,
}: {
  readonly buckets: Buckets;
  readonly names: readonly string[];
  readonly days: number;
  readonly interval: ReturnType<typeof useInterval>[0];
}) {
  const app = useApp();
  return (
    <div className="card card-body stack">
      <Chart
        label={words.trends}
        data={{
          xs: buckets.map(({ at }) => Date.parse(at)),
          series: names.map((name) => ({
            name,
            values: buckets.map(({ counts }) => counts[name] ?? 0),
          })),
        }}
        xHead={words.time}
        xText={(at) => axisTime(at, interval, app.timezone)}
        xLong={(at) => bucketTime(at, interval, app.timezone)}
        yText={count}
        unfinishedFrom={lastOf(buckets)}
      />
      <p className="row people-links">
        <span className="soft">{words.peopleWho}</span>
        {names.map((name) => (
          <PeopleLink key={name} filter={{ event: name, withinDays: days }}>
            {name}
          </PeopleLink>
        ))}
      </p>
    </div>
  );
}

type Buckets = readonly {
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
}[];

/** The chosen names, or the most frequent ones. */
function namesIn(buckets: Buckets, chosen: readonly string[]): readonly string[] {
  if (chosen.length > 0) return chosen;
  const sums = new Map<string, number>();
  for (const { counts } of buckets)
    for (const [name, some] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + some);
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shownMax)
    .map(([name]) => name);
}

function lastOf(buckets: Buckets): number | undefined {
  const last = buckets.at(-1);
  return last === undefined ? undefined : Date.parse(last.at);
}
