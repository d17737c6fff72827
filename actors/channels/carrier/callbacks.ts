// Reads the carrier's callbacks: message and call status, and inbound messages. Pure. No field is
// guaranteed, so anything unknown is ignored. A code that sending would retry is final here.

import { type Inbound, idCharsMax } from '../port/callback-item.ts';
import type { DeliveryReport, ReportEffect } from '../port/delivery-report.ts';
import { type Said, saidIn } from '../words/keywords.ts';
import { carrierMeaning } from './errors.ts';
import { type CarrierCall, isSignedByCarrier } from './signature.ts';
import type { CarrierChannel } from './status-url.ts';

export function carrierProblem(
  call: CarrierCall,
  authToken: string | undefined,
): string | undefined {
  if (authToken === undefined)
    return 'no carrier credential is stored, so the request cannot be verified';
  if (call.signature === undefined)
    return 'x-carrier-signature: is missing; expected a signature made with the auth token';
  if (isSignedByCarrier(call, authToken)) return undefined;
  const address = call.url.replace(/\?.*$/, '');
  return `x-carrier-signature: does not match this form, the URL ${address} with its query, and the stored auth token`;
}

/** The report of a status callback; `undefined` for an unknown status. */
export function carrierReport(
  channel: CarrierChannel,
  form: URLSearchParams,
): DeliveryReport | undefined {
  const status = form.get(channel === 'sms' ? 'MessageStatus' : 'CallStatus') ?? '';
  switch (status) {
    case 'accepted':
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
    case 'partially_delivered':
    case 'initiated':
    case 'ringing':
    case 'in-progress':
      return { kind: 'taken' };
    case 'delivered':
    case 'completed':
      return { kind: 'arrived' };
    case 'read':
      return { kind: 'read' };
    case 'undelivered':
    case 'failed':
    case 'busy':
    case 'no-answer':
    case 'canceled':
      return { kind: 'failed', ...failureOf(channel, form, status.replace('-', '_')) };
    default:
      return undefined;
  }
}

/** An inbound message; `undefined` for a form without a number or an id. */
export function carrierInbound(form: URLSearchParams): Inbound | undefined {
  const id = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  const from = (form.get('From') ?? '').replace(/^(?:whatsapp|rcs):/, '');
  if (id === '' || from === '') return undefined;
  return { id: id.slice(0, idCharsMax), from, ...saidBy(form) };
}

/** The carrier's own opt-out result comes first: it may know keywords that we do not. */
function saidBy(form: URLSearchParams): Said {
  switch (form.get('OptOutType')) {
    case 'STOP':
      return { keyword: 'stop' };
    case 'START':
      return { keyword: 'start' };
    case 'HELP':
      return { keyword: 'help' };
    default:
      return saidIn(form.get('Body') ?? '');
  }
}

function failureOf(
  channel: CarrierChannel,
  form: URLSearchParams,
  status: string,
): { readonly reason: string; readonly effect: ReportEffect } {
  const code = form.get('ErrorCode') ?? '';
  if (!/^[1-9]\d{0,5}$/.test(code)) return { reason: status, effect: 'none' };
  // Read as the last attempt of a working account: then the code is about the number.
  const known = carrierMeaning(Number(code), channel, 2, true);
  if (known === undefined) return { reason: `code_${code}`, effect: 'none' };
  const { outcome, reason } = known;
  return { reason, effect: outcome === 'dead' || outcome === 'opted_out' ? outcome : 'none' };
}
