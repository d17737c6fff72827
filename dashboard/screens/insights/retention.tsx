// Cohorts by the period they began in, and how many came back later.

import { useRead } from '../../api/queries.ts';
import { useQueryParam } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
import { bucketTime } from '../../time/buckets.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { useEventNames } from './event-names.ts';
import { shadeOf } from './shade.ts';
import { words } from './words.ts';

const intervals = ['day', 'week', 'month'] as const;
type Interval = (typeof intervals)[number];

export function Retention() {
  const app = useApp();
  const names = useEventNames();
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
          <Combobox
            label={words.event}
            placeholder={words.anyActivity}
            value={event ?? ''}
            onChange={setEvent}
            suggestions={names}
          />
        </div>
      </div>
      <p className="soft">{words.retentionText}</p>
      <Answer result={retention} rows={8}>
        {({ cohorts }) => {
          if (cohorts.every(({ people }) => people === 0))
            return <Empty icon="people" title={words.noCohorts} />;
          const longest = Math.max(...cohorts.map(({ periods }) => periods.length));
          return (
            <ScrollX isCard>
              <table className="shade-table" aria-label={words.retention}>
                <thead>
                  <tr>
                    <th scope="col">{words.cohort}</th>
                    <th scope="col">{words.people}</th>
                    {[...Array(longest).keys()].map((period) => (
                      <th key={period} scope="col">
                        {words.period(period)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {cohorts.map(({ at, people, periods }) => (
                    <tr key={at}>
                      <th scope="row">{bucketTime(Date.parse(at), interval)}</th>
                      <td className="end">{count(people)}</td>
                      {periods.map(({ at: from, active, share }) => (
                        <td
                          key={from}
                          className={`shade-${shadeOf(share ?? 0, 1)}`}
                          title={count(active)}
                        >
                          {share === null ? '' : rate(share, 1)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          );
        }}
      </Answer>
    </>
  );
}
