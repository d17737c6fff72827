// What other mail services take with an email and Engage does not send: attachments, copies, reply
// addresses, headers. Ignoring one would deliver another email than the caller wrote, so a call
// that has one is refused, unlike other unknown members. Pure.

import { isObject } from '../../../actors/is-object.ts';

const places: readonly (readonly [name: RegExp, instead: string])[] = [
  [
    /^(?:attachments?|attachmentsurls?|attachmenturls?|attachedfiles?|attach)$/,
    'only `POST …/notifications` takes `attachments`; elsewhere, link to the file in `body`',
  ],
  [
    /^b?cc(?:s|recipients?|list|to)?$/,
    'only `POST …/notifications` takes `cc` and `bcc`; elsewhere, send to each person who should get it',
  ],
  [
    /^replyto(?:s|name|list)?$/,
    'only `POST …/notifications` takes `replyTo`; all other emails have `email.replyTo` of the settings',
  ],
  [
    /^(?:from|fromname|sender|sendername)$/,
    'emails come from `email.fromName` and `email.fromAddress` of the settings, SMS from `from` of their credentials',
  ],
  [
    /^(?:headers|customheaders|extraheaders|additionalheaders)$/,
    'only `POST …/notifications` takes `headers`, whose names begin with X-',
  ],
  [
    /^(?:inline|inlineimages?|inlineattachments?|inlinefiles?|embeddedimages?|embeds|cids?)$/,
    '`attachments[].inline` of `POST …/notifications` embeds pictures; elsewhere, give `src` the https address of an uploaded one',
  ],
  [/^(?:ical|icalevent|icalendar|ics|calendarevent)$/, 'a message has no calendar part'],
];

/**
 * Why the value of a member that content does not know cannot be sent; `undefined` if it is no such
 * member, or says nothing: `cc: []`.
 */
export function unsupportedIn(name: string, value: unknown): string | undefined {
  if (name.length > nameCharsMax || isEmpty(value)) return undefined;
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^(?:email|mail|smtp)(?=.)/, '')
    .replace(/(?<=.)(?:e?mails?|address(?:es)?)$/, '');
  const instead = places.find(([pattern]) => pattern.test(plain))?.[1];
  return instead === undefined ? undefined : `not supported; ${instead}`;
}

const nameCharsMax = 64;

/** Whether an object with these members is what is sent, or chooses it. */
export function isContent(known: readonly string[]): boolean {
  return known.some((name) => contentNames.has(name));
}

const contentNames: ReadonlySet<string> = new Set(['body', 'messageId', 'templateId', 'variables']);

/** Objects in which other services take what belongs to an email. */
const partNames = /^(?:e?mail|smtp|message|content|(?:delivery)?options)$/i;

/** The same in an object that is part of what is sent: `email: {cc}`. */
export function* unsupportedParts(
  name: string,
  value: unknown,
): Generator<readonly [name: string, why: string]> {
  if (!partNames.test(name) || !isObject(value)) return;
  for (const [inner, one] of Object.entries(value)) {
    const why = unsupportedIn(inner, one);
    if (why !== undefined) yield [inner, why];
  }
}

/** The same within `payload`, and the object of a channel in it. Open records name nothing else. */
export function* unsupportedWithin(
  payload: unknown,
): Generator<readonly [path: readonly string[], name: string, why: string]> {
  if (!isObject(payload)) return;
  for (const [name, value] of Object.entries(payload)) {
    const why = unsupportedIn(name, value);
    if (why !== undefined) yield [[], name, why];
    if (!/^e?mail$/i.test(name) || !isObject(value)) continue;
    for (const [inner, one] of Object.entries(value)) {
      const reason = unsupportedIn(inner, one);
      if (reason !== undefined) yield [[name], inner, reason];
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
