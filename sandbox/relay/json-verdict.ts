// The verdict on a call with mails as JSON: each is a message in the inbox, and each recipient has
// reports of their own.

import type { StandInResponse, Verdict } from '../stand-in.ts';
import { bareAddress, contentOfJsonMail, idsOfJsonMail, type JsonMail } from './json-mail.ts';
import { faultyFirst } from './relay-faults.ts';
import type { RelayReports } from './relay-reports.ts';

/** A mail that the service takes. */
export interface TakenJsonMail {
  readonly mail: JsonMail;
  readonly messageId: string;
}

/** `account`: of the key that sends them. */
export function jsonVerdict(
  answer: StandInResponse,
  taken: readonly TakenJsonMail[],
  account: string,
  reports: RelayReports,
): Verdict {
  const mails = taken.map(({ mail }) => ({
    to: faultyFirst(recipientsOf(mail)),
    message: { ...idsOfJsonMail(mail), read: () => contentOfJsonMail(mail) },
  }));
  const to = faultyFirst(mails.map((mail) => mail.to));
  const first = mails.find((mail) => mail.to === to);
  if (first === undefined) return { answer };
  return {
    ...{ answer, to, name: to, message: first.message },
    others: mails.filter((mail) => mail !== first),
    taken: () =>
      reports.taken(
        taken.flatMap(({ mail, messageId }) => {
          const { from, subject, echoed } = mail;
          const about = { account, from, subject, messageId, echoed };
          return recipientsOf(mail).map((one) => ({ ...about, to: one }));
        }),
      ),
  };
}

function recipientsOf({ to, cc = [], bcc = [] }: JsonMail): readonly string[] {
  return [...to, ...cc, ...bcc].map(bareAddress);
}
