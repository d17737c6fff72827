// Usage and billing: what was used in a month, what it costs, and how it is paid.

import { useAct, useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorNote, Grey, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { useNow } from '../../ui/time.tsx';
import { Invoices } from './invoices.tsx';
import { Limits } from './limits.tsx';
import { monthOf, monthWords } from './money.ts';
import { Preview } from './preview.tsx';
import { Usage } from './usage.tsx';
import { words } from './words.ts';

/** As many past months are kept. */
const monthsKept = 13;

export default function Billing() {
  const present = monthOf(useNow());
  const [chosen = present, setChosen] = useQueryParam('month');
  const [checkout] = useQueryParam('checkout');
  const query = { month: chosen };
  const usage = useRead('readUsage', { query }, { keepPrevious: true });
  const limits = useRead('readOrgLimits', {});
  const preview = useRead('readInvoicePreview', { query }, { keepPrevious: true });
  const billing = useRead(
    'readBilling',
    { query: { limit: 100 } },
    { everyMs: checkout === 'done' ? 5_000 : false },
  );
  const isOfAgency = preview.error?.status === 409;
  // All of it at once, or what is below would move down again and again.
  const isFirst = [usage, limits, preview, billing].some(
    ({ data, error }) => data === undefined && error === undefined,
  );
  const months = Array.from({ length: monthsKept + 1 }, (_, before) => monthOf(Date.now(), before));
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          (isFirst || billing.data !== undefined) && (
            <Checkout isKnown={!isFirst} hasMethod={billing.data?.paymentMethod != null} />
          )
        }
      />
      <div className="screen-body stack">
        <div className="row">
          <SelectBox
            isAuto
            label={words.month}
            choices={months.map((value) => ({
              value,
              label: value === present ? `${monthWords(value)} (${words.now})` : monthWords(value),
            }))}
            value={chosen}
            onChange={(month) => setChosen(month === present ? undefined : month)}
          />
        </div>
        {checkout === 'done' && <Note tone="good">{words.method.done}</Note>}
        {isFirst ? (
          <Grey rows={12} />
        ) : (
          <>
            {isOfAgency && <Note>{words.ofAgency}</Note>}
            {billing.data?.waitingFor === 'clock' && <Note tone="notice">{words.clock}</Note>}
            <Paused
              hasMethod={billing.data === undefined || billing.data.paymentMethod !== null}
              hasFailed={billing.data?.items.some(({ status }) => status === 'failed') === true}
              allowance={isOfAgency ? undefined : limits.data?.emailAllowance}
            />
            <Usage usage={usage} limits={chosen === present ? limits.data : undefined} />
            {!isOfAgency && (
              <>
                <Preview preview={preview} isNow={chosen === present} />
                <Invoices billing={billing} />
              </>
            )}
            <Limits limits={limits} />
          </>
        )}
      </div>
    </>
  );
}

/** Says why email waits, and what would let it go on. */
function Paused({
  hasMethod,
  hasFailed,
  allowance,
}: {
  readonly hasMethod: boolean;
  readonly hasFailed: boolean;
  readonly allowance:
    | { readonly included: number | null; readonly used: number; readonly reserved: number }
    | undefined;
}) {
  if (allowance === undefined || allowance.included === null) return null;
  const taken = allowance.used + allowance.reserved;
  const isOver = taken >= allowance.included;
  if (hasFailed) return <Note tone={isOver ? 'bad' : 'notice'}>{words.paused.failed}</Note>;
  if (hasMethod) return null;
  if (isOver)
    return (
      <Note tone="bad">
        <strong>{words.paused.title}</strong> {words.paused.text}
      </Note>
    );
  return taken >= 0.9 * allowance.included ? <Note tone="notice">{words.paused.soon}</Note> : null;
}

/** Its place is kept until it is known which of both it is. */
function Checkout({
  isKnown,
  hasMethod,
}: {
  readonly isKnown: boolean;
  readonly hasMethod: boolean;
}) {
  const refused = useRefusal('admin');
  const start = useAct('startCheckout');
  const isOff = start.error?.status === 503 && start.error.code !== 'payment_provider';
  return (
    <div className={classNames('stack-tight', 'checkout', !isKnown && 'unknown')}>
      <Button
        kind={hasMethod ? undefined : 'primary'}
        icon="billing"
        refused={isOff ? words.notConfigured : refused}
        isBusy={start.isPending}
        onClick={() => start.mutate({}, { onSuccess: ({ url }) => location.assign(url) })}
      >
        {hasMethod ? words.method.replace : words.method.connect}
      </Button>
      {start.error !== undefined &&
        (isOff ? <Note>{words.notConfigured}</Note> : <ErrorNote error={start.error} />)}
    </div>
  );
}
