// What Solapi keeps for us of a message and shows again when its result is asked for: our ids, and
// the message's custom data. Easily got wrong: it takes names of 30 characters and values of 100,
// and refuses the message for a longer one; what does not fit is left out, since nobody but us
// would ever read it.

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
