// The payment method, and the invoices that were issued; each opens as a page to print.

import { hrefOf } from '../../api/client.ts';
import type { Invoice, OrgBilling } from '../../api/generated.ts';
import type { useRead } from '../../api/queries.ts';
import { PlainTable } from '../../kit/plain-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Answer } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import type { Tone } from '../../words/tone.ts';
import { money, monthWords } from './money.ts';
import { declinedBy, words } from './words.ts';

const text = words.invoices;

const tones: Readonly<Record<Invoice['status'], Tone>> = {
  open: 'notice',
  paid: 'good',
  failed: 'bad',
  void: 'off',
};

export function Invoices({
  billing,
}: {
  readonly billing: ReturnType<typeof useRead<'readBilling'>>;
}) {
  return (
    <Answer result={billing} rows={4}>
      {({ items, paymentMethod }) => (
        <>
          <section className="card">
            <div className="card-head">
              <h2>{words.method.title}</h2>
            </div>
            <div className="card-body">
              <Method method={paymentMethod} />
            </div>
          </section>
          <section className="card">
            <div className="card-head">
              <h2>{text.title}</h2>
            </div>
            {items.length === 0 ? (
              <p className="card-body soft">{text.none}</p>
            ) : (
              <PlainTable columns={columns} rows={items} keyOf={({ id }) => id} />
            )}
          </section>
        </>
      )}
    </Answer>
  );
}

function Method({ method }: { readonly method: OrgBilling['paymentMethod'] }) {
  if (method === null)
    return (
      <>
        <p>{words.method.none}</p>
        <p className="field-hint">{words.method.hint}</p>
      </>
    );
  return (
    <p>
      <strong>{words.method.card(method.brand, method.last4)}</strong>{' '}
      <span className="soft">{words.method.expires(monthWords(method.expires))}</span>
    </p>
  );
}

const columns = [
  {
    head: text.number,
    className: 'invoice-number',
    cell: ({ id, number }: Invoice) => (
      <a href={hrefOf('readInvoice', { path: { id } })} target="_blank" rel="noreferrer">
        {number} <Icon name="external" />
      </a>
    ),
  },
  { head: text.month, cell: ({ month }: Invoice) => monthWords(month) },
  {
    head: text.state,
    cell: ({ status, attempts }: Invoice) => (
      <>
        <Badge tone={tones[status]}>{text.states[status]}</Badge>{' '}
        <span className="soft">{status === 'failed' && declinedBy(attempts.at(-1)?.reason)}</span>
      </>
    ),
  },
  { head: text.issued, cell: ({ issuedAt }: Invoice) => <Time at={issuedAt} /> },
  { head: text.total, isNumber: true, cell: ({ totalCents }: Invoice) => money(totalCents) },
];
