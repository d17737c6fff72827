// People by recency and frequency, in quintiles.

import { useRead } from '../../api/queries.ts';
import { useQueryParam } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { count } from '../../ui/figure.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { useEventNames } from './event-names.ts';
import { shadeOf } from './shade.ts';
import { words } from './words.ts';

const best = [5, 4, 3, 2, 1];
const upwards = [1, 2, 3, 4, 5];

export function Rfm({ days }: { readonly days: number }) {
  const app = useApp();
  const names = useEventNames();
  const [event, setEvent] = useQueryParam('event');
  const [value, setValue] = useQueryParam('value');
  const rfm = useRead(
    'readRfm',
    {
      query: {
        appId: app.id,
        days,
        ...(event === undefined ? {} : { event }),
        ...(value === undefined ? {} : { valueProp: value }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <>
      <div className="columns readable">
        <Field label={words.event}>
          <Combobox
            placeholder={words.anyActivity}
            value={event ?? ''}
            onChange={setEvent}
            suggestions={names}
          />
        </Field>
        <Field label={words.value} hint={words.valueHint} isOptional>
          <TextInput value={value ?? ''} onChange={setValue} />
        </Field>
      </div>
      <p className="soft">{words.rfmText}</p>
      <Answer result={rfm} rows={6}>
        {({ people, cells }) => {
          if (people === 0) return <Empty icon="people" title={words.noRfm} />;
          const most = Math.max(...cells.map((cell) => cell.people));
          const at = new Map(cells.map((cell) => [`${cell.recency} ${cell.frequency}`, cell]));
          return (
            <ScrollX isCard>
              <table className="shade-table rfm" aria-label={words.rfm}>
                <thead>
                  <tr>
                    <td />
                    {upwards.map((frequency) => (
                      <th key={frequency} scope="col">
                        {words.frequency} {frequency}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {best.map((recency) => (
                    <tr key={recency}>
                      <th scope="row">
                        {words.recency} {recency}
                      </th>
                      {upwards.map((frequency) => {
                        const cell = at.get(`${recency} ${frequency}`);
                        const some = cell?.people ?? 0;
                        return (
                          <td
                            key={frequency}
                            className={`shade-${shadeOf(some, most)}`}
                            title={words.rfmCell(recency, frequency, count(some))}
                          >
                            {count(some)}
                            {cell?.value !== undefined && (
                              <span className="rfm-value">
                                {words.sum} {count(cell.value)}
                              </span>
                            )}
                          </td>
                        );
                      })}
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
