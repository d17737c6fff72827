// The invoice of a month as it would be now, line by line.

import type { AnswerOf } from '../../api/client.ts';
import type { useRead } from '../../api/queries.ts';
import { PlainTable } from '../../kit/plain-table.tsx';
import { count } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { money } from './money.ts';
import { words } from './words.ts';

const text = words.preview;

const columns = [
  { head: text.line, cell: ({ description }: Line) => description },
  { head: text.quantity, isNumber: true, cell: ({ quantity }: Line) => count(quantity) },
  { head: text.amount, isNumber: true, cell: ({ amountCents }: Line) => money(amountCents) },
];

type Line = AnswerOf<'readInvoicePreview'>['lines'][number];

export function Preview({
  preview,
  isNow,
}: {
  readonly preview: ReturnType<typeof useRead<'readInvoicePreview'>>;
  readonly isNow: boolean;
}) {
  return (
    <section className="card">
      <div className="card-head">
        <h2>{isNow ? text.soFar : text.title}</h2>
        <span className="soft">{isNow && text.intro}</span>
      </div>
      <Answer result={preview} rows={4}>
        {({ lines, totalCents, prices }) => (
          <>
            <PlainTable
              columns={columns}
              rows={lines}
              keyOf={({ code }) => code}
              foot={
                <tfoot>
                  <tr>
                    <th scope="row">{text.total}</th>
                    <td />
                    <td className="end usage-total">{money(totalCents)}</td>
                  </tr>
                </tfoot>
              }
            />
            <p className="field-hint usage-foot">{text.prices(prices)}</p>
          </>
        )}
      </Answer>
    </section>
  );
}
