// An update of a Live Activity as Apple expects it, whether it goes to APNs directly or inside
// FCM's `apns`. Pure. Apple limits the whole payload, not the content state, so a state of 4,096
// bytes never fits. All times are in seconds. Source: Apple, "Starting and updating Live Activities
// with ActivityKit push notifications".

import type { Seconds } from '../../engine/base/brand.ts';

/** The largest payload, in bytes of JSON. */
export const liveActivityBytesMax = 4_096;

/** One rendered update. */
export interface LiveActivityContent {
  readonly event: 'update' | 'end';
  /** Unix seconds; later than in every earlier update of the activity. */
  readonly timestamp: Seconds;
  readonly contentState: Readonly<Record<string, unknown>>;
  /** Lights up the screen. ActivityKit ignores it unless both texts are set. */
  readonly alert?: { readonly title: string; readonly body: string };
}

/** The payload. It has no members beside `aps`, because no code of the app would see them. */
export function liveActivityPayload(content: LiveActivityContent): { readonly aps: object } {
  const { event, timestamp, contentState, alert } = content;
  return {
    aps: {
      timestamp,
      event,
      'content-state': contentState,
      ...(alert === undefined
        ? {}
        : { alert: { title: alert.title, body: alert.body, sound: 'default' } }),
    },
  };
}

export function liveActivityBytes(content: LiveActivityContent): number {
  return Buffer.byteLength(JSON.stringify(liveActivityPayload(content)));
}
