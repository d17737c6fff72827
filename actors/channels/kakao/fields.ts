// Fields that Solapi stores with a message and returns with its result: our ids and the custom
// data. Solapi refuses names over 30 characters and values over 100, so we omit those fields.

import type { Attempt } from '../port/attempt.ts';

const nameMax = 30;
const valueMax = 100;

/** One attempt's `customFields`; ours win over custom data of the same name. */
export function kakaoFields({ sendId, deviceId, content }: Attempt): Record<string, string> {
  const data = Object.entries(content.data ?? {}).filter(
    ([name, value]) => name.length <= nameMax && value.length <= valueMax,
  );
  return { ...Object.fromEntries(data), sendId, deviceId };
}
