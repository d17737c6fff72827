// Fields that Solapi stores with a message and returns with its result: our ids, and the message's
// custom data. Solapi refuses the message for names over 30 characters or values over 100. Such
// fields are left out, since only we would read them.

import type { Attempt } from '../attempt.ts';

const nameMax = 30;
const valueMax = 100;

/** The `customFields` of one attempt; ours win over custom data of the same name. */
export function kakaoFields({ sendId, deviceId, content }: Attempt): Record<string, string> {
  const data = Object.entries(content.data ?? {}).filter(
    ([name, value]) => name.length <= nameMax && value.length <= valueMax,
  );
  return { ...Object.fromEntries(data), sendId, deviceId };
}
