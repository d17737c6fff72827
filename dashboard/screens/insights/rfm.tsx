// People by recency and frequency, in quintiles.

import type { AnswerOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { count } from '../../ui/figure.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { PeopleLink, ReportCard, shadeOf } from './report.tsx';
import { words } from './words.ts';

const best = [5, 4, 3, 2, 1];
const upwards = [1, 2, 3, 4, 5];

export function Rfm({ days }: { readonly days: number }) {
  const app = useApp();
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
          <EventBox placeholder={words.anyActivity} value={event ?? ''} onChange={setEvent} />
        </Field>
        <Field label={words.value} hint={words.valueHint} isOptional>
          <TextInput value={value ?? ''} onChange={setValue} />
        </Field>
      </div>
      <Answer result={rfm} rows={6}>
        {(found) =>
          found.people === 0 ? (
            <Empty icon="people" title={words.noRfm} />
          ) : (
            <Quintiles found={found} event={event} days={days} />
          )
        }
      </Answer>
    </>
  );
}

type Found = AnswerOf<'readRfm'>;

function Quintiles({
  found,
  event,
  days,
}: {
  readonly found: Found;
  readonly event: string | undefined;
  readonly days: number;
}) {
  const app = useApp();
  const { cells, edges } = found;
  return (
    <ReportCard title={words.rfm} note={words.rfmText} rows={() => fileOf(cells)}>
      <table className="shade-table rfm" aria-label={words.rfm}>
        <thead>
          <tr>
            <td />
            {upwards.map((frequency) => (
              <th key={frequency} scope="col">
                <FrequencyHead
                  frequency={frequency}
                  edges={edges.frequency}
                  event={event}
                  days={days}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {best.map((recency) => (
            <tr key={recency}>
              <th scope="row">
                {words.recency} {recency}
                <small>{recencyText(recency, edges.recency, app.timezone)}</small>
              </th>
              {upwards.map((frequency) => (
                <Cell key={frequency} at={[recency, frequency]} cells={cells} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ReportCard>
  );
}

function Cell({
  at: [recency, frequency],
  cells,
}: {
  readonly at: readonly [recency: number, frequency: number];
  readonly cells: Found['cells'];
}) {
  const most = Math.max(...cells.map((one) => one.people));
  const cell = cells.find((one) => one.recency === recency && one.frequency === frequency);
  const some = cell?.people ?? 0;
  return (
    <td
      className={`shade-${shadeOf(some, most)}`}
      title={words.rfmCell(recency, frequency, count(some))}
    >
      {count(some)}
      {some > 0 && cell?.value !== undefined && (
        <span className="rfm-value">
          {words.sum} {count(cell.value)}
        </span>
      )}
    </td>
  );
}

function fileOf(cells: Found['cells']) {
  const hasValues = cells.some(({ value }) => value !== undefined);
  return [
    [words.recency, words.frequency, words.people, ...(hasValues ? [words.sum] : [])],
    ...cells.map(({ recency, frequency, people, value }) => [
      recency,
      frequency,
      people,
      ...(value === undefined ? [] : [value]),
    ]),
  ];
}

/** How often that is; a filter can say "so often or more", so that leads to the people. */
function FrequencyHead({
  frequency,
  edges,
  event,
  days,
}: {
  readonly frequency: number;
  readonly edges: readonly number[];
  readonly event: string | undefined;
  readonly days: number;
}) {
  const from = (edges[frequency - 2] ?? 0) + 1;
  const to = edges[frequency - 1];
  const text = to === undefined ? words.timesFrom(from) : words.timesTo(from, to);
  const isEmpty = to !== undefined && from > to;
  return (
    <>
      {words.frequency} {frequency}
      <small>
        {isEmpty ? (
          words.emptyQuintile
        ) : event !== undefined && to === undefined ? (
          <PeopleLink filter={{ event, withinDays: days, atLeast: from }}>{text}</PeopleLink>
        ) : (
          text
        )}
      </small>
    </>
  );
}

function recencyText(recency: number, edges: readonly string[], timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  const edge = edges[Math.min(recency, edges.length) - 1];
  if (edge === undefined) return '';
  const at = format.format(Date.parse(edge));
  return recency > edges.length ? words.lastSince(at) : words.lastBefore(at);
}
