// A Live Activity update in Apple's form, for APNs and for FCM's `apns`. Pure. Apple limits the
// whole payload, not the content state, so a state of 4,096 bytes never fits. Times are in seconds.
// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".

import type { Seconds } from '../../../engine/base/brand.ts';

export const liveActivityBytesMax = 4_096;

export interface LiveActivityContent {
  readonly event: 'update' | 'end';
  /** Unix seconds; later than in every earlier update of the activity. */
  readonly timestamp: Seconds;
  readonly contentState: Readonly<Record<string, unknown>>;
  /** Lights up the screen. ActivityKit ignores it unless both texts are set. */
  readonly alert?: { readonly title: string; readonly body: string };
}

/** Only `aps`: the app's code would not see other fields. */
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
