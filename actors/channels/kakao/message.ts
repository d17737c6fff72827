// Solapi's request: one AlimTalk, by the approved template in `payload.kakao`. Pure. Kakao refuses
// any text, picture or button that is not the template's, so only variables are sent. `disableSms`
// prevents a text message at the tenant's cost to a person without KakaoTalk.

import { nationalNumber } from '../addresses/phone-number.ts';
import { failure, tooLong } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { readKakaoTemplate } from './template.ts';

/** The longest AlimTalk in characters, template text included. */
const kakaoTextMax = 1_000;

/** The sender; a preview has none. */
interface KakaoSender {
  readonly pfId: string;
  readonly from: string;
}

/** The body for one E.164 number, or why there is none. */
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

/** Solapi's form: a country and the national digits, in Korea with the leading 0. */
function recipient(number: string): { readonly to: string; readonly country: string } {
  // Nearly all numbers are Korean, and no other country's code begins like this.
  if (number.startsWith('+82')) return { to: `0${number.slice(3)}`, country: '82' };
  const { country, digits } = nationalNumber(number) ?? { country: '82', digits: number };
  return { to: digits, country };
}

/** Solapi refuses longer names and values, so we omit those fields. */
const nameMax = 30;
const valueMax = 100;

/**
 * One attempt's `customFields`, which Solapi stores and returns with the result: our ids and the
 * custom data. Ours win over custom data of the same name.
 */
function kakaoFields({ sendId, deviceId, content }: Attempt): Record<string, string> {
  const data = Object.entries(content.data ?? {}).filter(
    ([name, value]) => name.length <= nameMax && value.length <= valueMax,
  );
  return { ...Object.fromEntries(data), sendId, deviceId };
}
