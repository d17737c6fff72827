// When messages reach people and when they react: a week of hours, each cell with its number.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { count, rate, shortCount } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ReportCard, shadeOf } from './report.tsx';
import { words } from './words.ts';

type Metric = keyof typeof words.heatmapMetrics;
const metrics = Object.keys(words.heatmapMetrics) as readonly Metric[];
const hours = [...Array(24).keys()];

interface Cell {
  readonly weekday: number;
  readonly hour: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
}

export function Heatmap({ days }: { readonly days: number }) {
  const app = useApp();
  const heatmap = useRead('readEngagementHeatmap', { query: { appId: app.id, days } });
  const [asked, setMetric] = useQueryParam('metric');
  const metric = metrics.find((one) => one === asked) ?? 'opened';
  return (
    <Answer result={heatmap} rows={8}>
      {({ cells }) =>
        cells.every(({ delivered, opened, clicked }) => delivered + opened + clicked === 0) ? (
          <Empty icon="clock" title={words.noneOf.delivered(days)}>
            {words.noneOfText.delivered}
          </Empty>
        ) : (
          <>
            <div className="row">
              <Segmented
                label={words.heatmapOf}
                choices={metrics.map((value) => ({ value, label: words.heatmapMetrics[value] }))}
                value={metric}
                onChange={setMetric}
              />
              <span className="soft">{bestText(cells, metric)}</span>
            </div>
            {cells.every((cell) => figureOf(cell, metric) === 0) ? (
              <Empty icon="clock" title={words.noneOf[metric](days)}>
                {words.noneOfText[metric]}
              </Empty>
            ) : (
              <ReportCard title={words.heatmap} note={words.heatmapText} rows={() => fileOf(cells)}>
                <Week cells={cells} metric={metric} />
              </ReportCard>
            )}
          </>
        )
      }
    </Answer>
  );
}

function Week({ cells, metric }: { readonly cells: readonly Cell[]; readonly metric: Metric }) {
  const most = Math.max(0, ...cells.map((cell) => figureOf(cell, metric)));
  const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  return (
    <table className="shade-table week" aria-label={words.heatmapMetrics[metric]}>
      <thead>
        <tr>
          <td />
          {hours.map((hour) => (
            <th key={hour} scope="col">
              {String(hour).padStart(2, '0')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {words.weekdays.map((name, day) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {hours.map((hour) => {
              const cell = at.get(`${day} ${hour}`) ?? none;
              const value = figureOf(cell, metric);
              return (
                <td
                  key={hour}
                  className={`shade-${shadeOf(value, most)}`}
                  title={words.heatmapCell(
                    name,
                    hourText(hour),
                    count(cell.opened),
                    count(cell.delivered),
                  )}
                >
                  {value === 0 ? '' : cellText(value, metric)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const none: Cell = { weekday: 0, hour: 0, delivered: 0, opened: 0, clicked: 0 };

function figureOf(cell: Cell, metric: Metric): number {
  if (metric !== 'openRate') return cell[metric];
  // People open later than they get it, so an hour may have more opens than deliveries.
  return cell.delivered === 0 ? 0 : Math.min(1, cell.opened / cell.delivered);
}

function cellText(value: number, metric: Metric): string {
  return metric === 'openRate' ? `${Math.round(value * 100)}%` : shortCount(value);
}

function bestText(cells: readonly Cell[], metric: Metric): string {
  const best = cells.reduce((a, b) => (figureOf(b, metric) > figureOf(a, metric) ? b : a), none);
  const value = figureOf(best, metric);
  if (value === 0) return '';
  const shown = metric === 'openRate' ? rate(value, 1) : count(value);
  return words.best(words.bestHour(words.weekdays[best.weekday] ?? '', hourText(best.hour), shown));
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function fileOf(cells: readonly Cell[]): readonly (readonly (string | number)[])[] {
  const { heatmapMetrics: heads } = words;
  return [
    [words.weekday, words.hour, heads.delivered, heads.opened, heads.clicked],
    ...cells.map(({ weekday, hour, delivered, opened, clicked }) => [
      words.weekdays[weekday] ?? '',
      hourText(hour),
      delivered,
      opened,
      clicked,
    ]),
  ];
}
