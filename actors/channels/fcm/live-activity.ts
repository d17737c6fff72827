// A Live Activity update through FCM, which forwards `apns` to Apple. It needs two tokens: the
// phone's registration token as recipient, and the activity's push token beside Apple's payload.
// FCM sets the topic and the kind of push. Source: Firebase, "Get started with Live Activity".

import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import {
  type LiveActivityContent,
  liveActivityBytes,
  liveActivityBytesMax,
  liveActivityPayload,
} from '../port/live-activity.ts';
import type { Failure } from '../port/outcome.ts';

/** One attempt's request to the phone with this token; `ttl` is the remaining lifetime. */
export function fcmLiveActivity(
  { activity, sendId, deviceId }: Attempt,
  content: LiveActivityContent,
  token: string,
  ttl: Seconds | undefined,
  nowMs: Millis,
): { readonly body: string } | Failure {
  if (activity === undefined) return failure('permanent', 'invalid_content', 'no activity token');
  const bytes = liveActivityBytes(content);
  if (bytes > liveActivityBytesMax) {
    const words = `${bytes} bytes, ${liveActivityBytesMax} are allowed`;
    return failure('permanent', 'payload_too_large', words);
  }
  const message = {
    token,
    data: { engageSendId: sendId, engageDeviceId: deviceId },
    apns: {
      live_activity_token: activity.pushToken,
      headers: {
        'apns-priority': '10',
        ...(ttl !== undefined && { 'apns-expiration': String(Math.floor(nowMs / 1000) + ttl) }),
      },
      payload: liveActivityPayload(content),
    },
  };
  return { body: JSON.stringify({ message }) };
}
