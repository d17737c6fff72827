// What a caller may add to one email besides its text: files, copies, a reply address, headers.
// Nothing of it is rendered, so a template in it is a fault: a file called `{{ order }}.pdf` is a
// slip.

import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { hasControlCharacter } from '../../channels/addresses/address.ts';
import { emailAddress } from '../../channels/email/address.ts';
import type { MailParts } from '../../channels/port/attempt.ts';
import { isTemplate } from '../shape/is-template.ts';
import { mailLimits } from '../shape/mail-limits.ts';

interface MailPartsInput {
  readonly cc?: string | readonly string[] | null | undefined;
  readonly bcc?: string | readonly string[] | null | undefined;
  readonly replyTo?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
}

type CheckedParts = Omit<MailParts, 'attachments'>;

/** Without the attachments; `undefined` if nothing is given. */
export function acceptMailParts(
  input: MailPartsInput,
): { readonly parts: CheckedParts | undefined } | { readonly fault: Fault } {
  try {
    const cc = copiesOf(input.cc, 'cc');
    const bcc = copiesOf(input.bcc, 'bcc');
    if (cc.length + bcc.length > mailLimits.copiesMax)
      refuse('cc', `at most ${mailLimits.copiesMax} addresses together with bcc`);
    const replyTo = input.replyTo == null ? undefined : addressOf(input.replyTo, 'replyTo');
    const headers = headersOf(input.headers ?? {});
    const parts: CheckedParts = {
      ...(cc.length === 0 ? {} : { cc }),
      ...(bcc.length === 0 ? {} : { bcc: bcc.filter((one) => !cc.some(sameAs(one))) }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(headers.length === 0 ? {} : { headers }),
    };
    return { parts: Object.keys(parts).length === 0 ? undefined : parts };
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault };
    throw error;
  }
}

/** What a file may be called, or why not. Paths and turned text would show another name. */
export function filenameProblem(filename: string): string | undefined {
  if (filename.trim() === '') return 'is empty';
  if (Buffer.byteLength(filename) > mailLimits.filenameBytesMax)
    return `at most ${mailLimits.filenameBytesMax} bytes`;
  if (hasControlCharacter(filename)) return 'must not contain control characters';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(filename))
    return 'must not contain characters that turn the direction of text';
  if (/[/\\]/.test(filename)) return 'is a name, not a path';
  return templateProblem(filename);
}

/** A content id, as the HTML names it: `cid:logo`. */
export function cidProblem(cid: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}$/.test(cid)
    ? undefined
    : 'expected 1 to 100 of A-Z a-z 0-9 . _ + @ -';
}

function templateProblem(text: string): string | undefined {
  return isTemplate(text) ? 'is sent as it is; variables are not rendered here' : undefined;
}

function copiesOf(given: MailPartsInput['cc'], field: 'cc' | 'bcc'): readonly string[] {
  if (given == null) return [];
  const list = typeof given === 'string' ? [given] : given;
  const addresses: string[] = [];
  for (const [i, one] of list.entries()) {
    const address = addressOf(one, typeof given === 'string' ? field : `${field}[${i}]`);
    if (!addresses.some(sameAs(address))) addresses.push(address);
  }
  return addresses;
}

/** Mailboxes that differ only by case are the same. */
function sameAs(address: string): (other: string) => boolean {
  const folded = address.toLowerCase();
  return (other) => other.toLowerCase() === folded;
}

function addressOf(text: string, field: string): string {
  const unrendered = templateProblem(text);
  if (unrendered !== undefined) refuse(field, unrendered);
  const checked = emailAddress(text);
  if ('problem' in checked) refuse(field, checked.problem);
  return checked.value;
}

/**
 * Headers that a mail service obeys: with its API by SMTP a header may add recipients or choose an
 * account, and the account is the operator's.
 */
const obeyed =
  /^x-(?:engage|smtpapi|mc|ses|aws|mailgun|pm|sib|mailin|msys|mj|tm|resend|mailjet|elastic|cmail|google-smtp|gm|ms-exchange|forefront|spam|virus)(?:-|$)/i;

function headersOf(given: Readonly<Record<string, string>>): MailParts['headers'] & object {
  const entries = Object.entries(given);
  const { headersMax, headerNameCharsMax, headerValueCharsMax } = mailLimits;
  if (entries.length > headersMax) refuse('headers', `at most ${headersMax} headers`);
  const names = new Set<string>();
  return entries.map(([name, value]): readonly [string, string] => {
    const field = `headers.${name.slice(0, headerNameCharsMax)}`;
    if (!/^X-[A-Za-z0-9][A-Za-z0-9-]*$/i.test(name) || name.length > headerNameCharsMax)
      refuse(field, 'only headers whose names begin with X- and have letters, digits and -');
    if (obeyed.test(name)) refuse(field, 'is reserved for Engage and for mail services');
    if (/^x-priority$/i.test(name)) refuse(field, 'set `priority` instead');
    if (names.has(name.toLowerCase())) refuse(field, 'appears twice');
    names.add(name.toLowerCase());
    if (value.trim() === '') refuse(field, 'is empty');
    if (value.length > headerValueCharsMax)
      refuse(field, `at most ${headerValueCharsMax} characters`);
    if (hasControlCharacter(value)) refuse(field, 'must not contain control characters');
    const unrendered = templateProblem(value);
    if (unrendered !== undefined) refuse(field, unrendered);
    return [name, value.trim()];
  });
}

function refuse(field: string, problem: string): never {
  throw new FaultError(fieldFault(field, problem));
}
