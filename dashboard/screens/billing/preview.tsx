// The invoice of a month as it would be now, line by line.

import type { useRead } from '../../api/queries.ts';
import { count } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { money } from './money.ts';
import { words } from './words.ts';

const text = words.preview;

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
            <ScrollX>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{text.line}</th>
                    <th scope="col" className="end">
                      {text.quantity}
                    </th>
                    <th scope="col" className="end">
                      {text.amount}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {lines.map(({ code, description, quantity, amountCents }) => (
                    <tr key={code}>
                      <td>{description}</td>
                      <td className="end">{count(quantity)}</td>
                      <td className="end">{money(amountCents)}</td>
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row">{text.total}</th>
                    <td />
                    <td className="end usage-total">{money(totalCents)}</td>
                  </tr>
                </tfoot>
              </table>
            </ScrollX>
            <p className="field-hint usage-foot">{text.prices(prices)}</p>
          </>
        )}
      </Answer>
    </section>
  );
}
