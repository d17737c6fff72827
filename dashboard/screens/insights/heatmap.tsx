// When people open messages: a week of hours, each cell with its number.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../frame/session-context.tsx';
import { count, shortCount } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { shadeOf } from './shade.ts';
import { words } from './words.ts';

const hours = [...Array(24).keys()];

export function Heatmap({ days }: { readonly days: number }) {
  const app = useApp();
  const heatmap = useRead('readEngagementHeatmap', { query: { appId: app.id, days } });
  return (
    <Answer result={heatmap} rows={8}>
      {({ cells }) => {
        const most = Math.max(0, ...cells.map(({ opened }) => opened));
        if (most === 0)
          return (
            <Empty icon="clock" title={words.noOpens}>
              {words.noOpensText}
            </Empty>
          );
        const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
        const weekdays = words.weekdays.map((name, index) => ({ name, day: index }));
        return (
          <>
            <p className="soft">{words.heatmapText}</p>
            <ScrollX isCard>
              <table className="shade-table" aria-label={words.heatmap}>
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
                  {weekdays.map(({ name, day }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      {hours.map((hour) => {
                        const cell = at.get(`${day} ${hour}`);
                        const opened = cell?.opened ?? 0;
                        return (
                          <td
                            key={hour}
                            className={`shade-${shadeOf(opened, most)}`}
                            title={words.heatmapCell(
                              name,
                              `${hour}:00`,
                              count(opened),
                              count(cell?.delivered ?? 0),
                            )}
                          >
                            {opened === 0 ? '' : shortCount(opened)}
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          </>
        );
      }}
    </Answer>
  );
}
