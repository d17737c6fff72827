// The hosted checkout page of the Stripe stand-in, and a page of what it knows. Plain forms, no
// script.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StandInResponse } from '../stand-in.ts';
import type { Session, StripeData } from './stripe-state.ts';

const style = readStyle();
const shownMax = 50;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    // The form's answer leads to the product's dashboard.
    'form-action http: https:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export function pageAnswer(body: string): StandInResponse {
  return { status: 200, headers, body };
}

export function seeOther(location: string): StandInResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function checkoutPage(session: Session, customer: string): string {
  if (session.status === 'complete')
    return page(
      'Checkout',
      `<main class="card"><h1>This checkout is complete</h1><p><a href="${escaped(session.successUrl)}">Back to the dashboard</a></p></main>`,
    );
  const button = (card: string, label: string, about: string, kind = '') =>
    `<button name="card" value="${card}" class="${kind}">${label}<small>${about}</small></button>`;
  return page(
    'Checkout',
    `<main class="card">
<p class="tag">Sandbox of Stripe</p>
<h1>Save a payment method</h1>
<p>for <b>${escaped(customer)}</b>. No card is needed: a button stands for one.</p>
<form method="post">
${button('pays', 'Save a card that pays', 'Visa 4242: every charge succeeds', 'primary')}
${button('declines', 'Save a card that declines', 'Visa 0341: every charge fails with insufficient_funds')}
${button('asks', 'Save a card that asks its owner', 'Mastercard 3184: charges fail with authentication_required')}
${button('leave', 'Go back without saving', 'To the cancel address', 'quiet')}
</form>
</main>`,
  );
}

export function overviewPage(
  { customers, methods, payments, sessions }: StripeData,
  events: readonly { readonly id: string; readonly type: string; readonly created: number }[],
): string {
  const open = newest(sessions).filter(({ status }) => status === 'open');
  return page(
    'Sandbox Stripe',
    `<main>
<h1>Sandbox of Stripe</h1>
<p><a href="/">Inbox</a> · faults and events by the <a href="/control">control routes</a></p>
${table(
  'Payments',
  ['Amount', 'For', 'Status', 'Customer', 'When'],
  newest(payments).map((one) => [
    `${(one.amount / 100).toFixed(2)} ${one.currency.toUpperCase()}`,
    one.description ?? '',
    one.error === null ? one.status : `${one.status}: ${one.error.decline ?? one.error.code}`,
    customers.get(one.customer)?.name ?? one.customer,
    timeText(one.created),
  ]),
)}
${table(
  'Payment methods',
  ['Card', 'Charges', 'Customer', ''],
  newest(methods).map((one) => [
    `${one.card.brand} ${one.card.last4}`,
    one.behavior === 'ok' ? 'succeed' : one.behavior,
    one.customer === null ? 'detached' : (customers.get(one.customer)?.name ?? one.customer),
    one.customer === null
      ? ''
      : {
          html: `<form method="post" action="/stripe/methods/${one.id}/detach"><button>Detach</button></form>`,
        },
  ]),
)}
${table(
  'Open checkouts',
  ['Checkout', 'Customer', 'When'],
  open.map((one) => [
    { html: `<a href="/stripe/pay/${one.id}">${one.id.slice(0, 20)}…</a>` },
    customers.get(one.customer)?.name ?? one.customer,
    timeText(one.created),
  ]),
)}
${table(
  'Events',
  ['Type', 'Id', 'When'],
  events.slice(0, shownMax).map(({ id, type, created }) => [type, id, timeText(created)]),
)}
</main>`,
  );
}

type Cell = string | { readonly html: string };

function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${htmlOf(cell)}</td>`).join('')}</tr>`)
    .join('');
  const empty = `<tr><td colspan="${names.length}" class="soft">None yet.</td></tr>`;
  return `<section><h2>${title}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body || empty}</tbody></table></div></section>`;
}

function htmlOf(cell: Cell): string {
  return typeof cell === 'string' ? escaped(cell) : cell.html;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
${body}
</html>
`;
}

function newest<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows.values()].reverse().slice(0, shownMax);
}

function timeText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The compiler copies no pages to dist/sandbox: read the sources. */
function readStyle(): string {
  try {
    return readFileSync(new URL('./stripe.css', import.meta.url), 'utf8');
  } catch {
    return readFileSync(new URL('../../../sandbox/stripe/stripe.css', import.meta.url), 'utf8');
  }
}
