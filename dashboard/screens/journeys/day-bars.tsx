// Messages a day as bars, or as a table of the same numbers.

import { Check } from '../../ui/choices.tsx';
import { count } from '../../ui/figure.tsx';
import { dayText } from './day-text.ts';
import { words } from './words.ts';

const text = words.forecast;
const height = 96;
const width = 312;

interface Day {
  readonly day: string;
  readonly sends: number;
}

export function DayBars({
  items,
  isTable,
  onTable,
}: {
  readonly items: readonly Day[];
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
}) {
  return (
    <section className="stack-tight day-bars">
      <div className="row-between">
        <h3>{text.perDay}</h3>
        <Check isChecked={isTable} onChange={onTable}>
          {text.table}
        </Check>
      </div>
      {isTable ? <DayTable items={items} /> : <Bars items={items} />}
    </section>
  );
}

function Bars({ items }: { readonly items: readonly Day[] }) {
  const most = Math.max(...items.map(({ sends }) => sends), 1);
  const step = width / items.length;
  const total = items.reduce((sum, { sends }) => sum + sends, 0);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${text.perDay}: ${count(total)}`}
      >
        <path className="day-axis" d={`M0 ${height - 0.5}H${width}`} />
        {items.map(({ day, sends }, nth) => {
          const high = sends === 0 ? 0 : Math.max((sends / most) * (height - 8), 2);
          return (
            <rect
              key={day}
              x={nth * step + step * 0.1}
              y={height - 1 - high}
              width={step * 0.8}
              height={high}
              rx={Math.min(2, step * 0.2)}
            >
              <title>{`${dayText(day)}: ${count(sends)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="row-between soft">
        <span>{dayText(items[0]?.day ?? '')}</span>
        <span>{dayText(items.at(-1)?.day ?? '')}</span>
      </figcaption>
    </figure>
  );
}

function DayTable({ items }: { readonly items: readonly Day[] }) {
  return (
    <table className="day-table">
      <thead>
        <tr>
          <th scope="col">{text.day}</th>
          <th scope="col" className="number">
            {text.sends}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ day, sends }) => (
          <tr key={day}>
            <td>{dayText(day)}</td>
            <td className="number">{count(sends)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
