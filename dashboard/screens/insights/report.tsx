// What reports share: the days that they look back and the buckets they count in, both in the
// address; a card with its file, links to people, shades.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Filter } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterInAddress, filterParam } from '../../filter/address.ts';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { csvText } from '../../ui/csv.ts';
import { saveFile } from '../../ui/save-file.ts';
import { words } from './words.ts';

const daysByDefault = 30;
const daysMax = 90;

const intervals = ['hour', 'day', 'week'] as const;
type Interval = (typeof intervals)[number];

export function useDays(): readonly [number, (days: number) => void] {
  const [text, set] = useQueryParam('days');
  const days = Number(text ?? daysByDefault);
  const isValid = Number.isInteger(days) && days >= 1 && days <= daysMax;
  return [
    isValid ? days : daysByDefault,
    (next) => set(next === daysByDefault ? undefined : String(next)),
  ];
}

/** Without a choice: hours for a week, days for more. */
export function useInterval(days: number): readonly [Interval, (interval: Interval) => void] {
  const [text, set] = useQueryParam('interval');
  const fitting = days <= 7 ? 'hour' : 'day';
  return [
    intervals.find((one) => one === text) ?? fitting,
    (next) => set(next === fitting ? undefined : next),
  ];
}

export function IntervalChoice({
  value,
  onChange,
}: {
  readonly value: Interval;
  readonly onChange: (interval: Interval) => void;
}) {
  return (
    <Segmented
      label={words.interval}
      choices={intervals.map((one) => ({
        value: one,
        label: words.intervals[one],
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** A table of numbers with its title, and the same as a file. */
export function ReportCard({
  title,
  note,
  rows,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  /** Head and lines of the file. */
  readonly rows: () => readonly (readonly (string | number | null)[])[];
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      <div className="card-head">
        <div>
          <h2>{title}</h2>
          {note !== undefined && <p className="soft report-note">{note}</p>}
        </div>
        <Button
          size="small"
          kind="quiet"
          icon="download"
          onClick={() => saveFile(`${title}.csv`, csvText(rows()))}
        >
          {words.csv}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x" tabIndex={0} aria-label={title}>
        {children}
      </section>
    </section>
  );
}

/** To the people that a filter finds. */
export function PeopleLink({
  filter,
  children,
}: {
  readonly filter: Filter;
  readonly children: ReactNode;
}) {
  const app = useApp();
  const to = withParams(appPath(app.id, 'people'), { [filterParam]: filterInAddress(filter) });
  return <Link to={to}>{children}</Link>;
}

const shades = 5;

/** The step of a color scale for a value: 0 for none, 1 to 5 by share of the largest. */
export function shadeOf(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.max(1, Math.ceil((value / largest) * shades));
}
