// What a rendered message looks like to Solapi: one AlimTalk, by the approved template that
// `payload.kakao` names. Pure. Easily got wrong: the words, picture and buttons of an AlimTalk are
// those of its template, and Kakao refuses any other, so nothing of the message but the template's
// variables goes out; and without `disableSms` a person without KakaoTalk would get, and the tenant
// would pay for, a text message that nobody wrote.

import { nationalNumber } from '../address.ts';
import { failure, tooLong } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { Failure } from '../outcome.ts';
import { kakaoFields } from './fields.ts';
import { readKakaoTemplate } from './template.ts';

/** The most that an AlimTalk says, in characters, its template's own words included. */
const kakaoTextMax = 1_000;

/** Whom it comes from; a preview knows no account. */
interface KakaoSender {
  readonly pfId: string;
  readonly from: string;
}

/** The request body for one number in E.164, or why there can be none. */
export function kakaoMessage(
  attempt: Attempt,
  number: string,
  sender?: KakaoSender,
): { readonly body: string; readonly hasOwnSender: boolean } | Failure {
  const value = attempt.content.payload?.['kakao'];
  if (value === undefined)
    return failure('permanent', 'template_missing', 'there is no payload.kakao to name a template');
  const template = readKakaoTemplate(value);
  if ('problem' in template) {
    const { at, problem } = template;
    const member = at === '' ? 'payload.kakao' : `payload.kakao.${at}`;
    return failure('permanent', 'template_invalid', `${member}: ${problem}`);
  }
  const { templateId, senderKey, variables } = template;
  for (const [name, text] of Object.entries(variables)) {
    const problem = tooLong(name, text, kakaoTextMax);
    if (problem !== undefined) return problem;
  }
  const body = JSON.stringify({
    messages: [
      {
        ...recipient(number),
        from: sender?.from,
        type: 'ATA',
        kakaoOptions: {
          pfId: senderKey ?? sender?.pfId,
          templateId,
          variables: Object.keys(variables).length === 0 ? undefined : variables,
          disableSms: true,
        },
        customFields: kakaoFields(attempt),
      },
    ],
    allowDuplicates: false,
    showMessageList: true,
  });
  return { body, hasOwnSender: senderKey !== undefined };
}

/**
 * As the provider has it: a country, and the digits as they are dialled there; in Korea with the 0
 * before them.
 */
function recipient(number: string): { readonly to: string; readonly country: string } {
  // Nearly all are Korean, and no other country's code begins so.
  if (number.startsWith('+82')) return { to: `0${number.slice(3)}`, country: '82' };
  const { country, digits } = nationalNumber(number) ?? { country: '82', digits: number };
  return { to: digits, country };
}
