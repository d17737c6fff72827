// Cohorts by the period they began in, and how many came back later.

import type { AnswerOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { bucketTime } from '../../time/buckets.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ReportCard, shadeOf } from './report.tsx';
import { words } from './words.ts';

const intervals = ['day', 'week', 'month'] as const;
type Interval = (typeof intervals)[number];

export function Retention() {
  const app = useApp();
  const [text, setInterval] = useQueryParam('interval');
  const [event, setEvent] = useQueryParam('event');
  const interval: Interval = intervals.find((one) => one === text) ?? 'week';
  const retention = useRead(
    'readRetention',
    { query: { appId: app.id, interval, ...(event === undefined ? {} : { event }) } },
    { keepPrevious: true },
  );
  return (
    <>
      <div className="row">
        <Segmented
          label={words.interval}
          choices={intervals.map((value) => ({ value, label: words.intervals[value] }))}
          value={interval}
          onChange={setInterval}
        />
        <div className="search-box">
          <EventBox
            label={words.event}
            placeholder={words.anyActivity}
            value={event ?? ''}
            onChange={setEvent}
          />
        </div>
      </div>
      <Answer result={retention} rows={8}>
        {({ cohorts }) => {
          if (cohorts.every(({ people }) => people === 0))
            return <Empty icon="people" title={words.noCohorts} />;
          return <Cohorts cohorts={cohorts} interval={interval} />;
        }}
      </Answer>
    </>
  );
}

function Cohorts({
  cohorts,
  interval,
}: {
  readonly cohorts: AnswerOf<'readRetention'>['cohorts'];
  readonly interval: Interval;
}) {
  const app = useApp();
  const nameOf = (at: string) => bucketTime(Date.parse(at), interval, app.timezone);
  const longest = Math.max(...cohorts.map((cohort) => cohort.periods.length));
  const periods = Array.from({ length: longest }, (_, n) => words.period(n, interval));
  return (
    <ReportCard
      title={words.retention}
      note={words.retentionText}
      rows={() => [
        [words.cohort, words.people, ...periods],
        ...cohorts.map((cohort) => [
          nameOf(cohort.at),
          cohort.people,
          ...cohort.periods.map(({ active }) => active),
        ]),
      ]}
    >
      <table className="shade-table" aria-label={words.retention}>
        <thead>
          <tr>
            <th scope="col">{words.cohort}</th>
            <th scope="col">{words.people}</th>
            {periods.map((period) => (
              <th key={period} scope="col">
                {period}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ at, people, periods: shares }) => (
            <tr key={at}>
              <th scope="row">{nameOf(at)}</th>
              <td className="end">{count(people)}</td>
              {shares.map(({ at: from, active, share }) => (
                <td key={from} className={`shade-${shadeOf(share ?? 0, 1)}`} title={count(active)}>
                  {share === null ? '' : rate(share, 1)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ReportCard>
  );
}
