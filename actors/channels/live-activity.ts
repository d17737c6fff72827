// What an update of a Live Activity is to Apple, whichever way it goes there: straight to APNs, or
// inside FCM's `apns`. Pure. Easily got wrong: Apple bounds the whole payload, not the content
// state, so a state of 4,096 bytes never fits; and all times are in seconds. Source: Apple,
// "Starting and updating Live Activities with ActivityKit push notifications".

import type { Seconds } from '../../engine/base/brand.ts';

/** The most that a payload may weigh, in bytes of JSON. */
export const liveActivityBytesMax = 4_096;

/** One update, final: nothing of it is rendered. */
export interface LiveActivityContent {
  readonly event: 'update' | 'end';
  /** Unix seconds; newer than that of every update of the activity before. */
  readonly timestamp: Seconds;
  readonly contentState: Readonly<Record<string, unknown>>;
  /** Lights the screen up. Without either text ActivityKit ignores it. */
  readonly alert?: { readonly title: string; readonly body: string };
}

/** The payload; nothing stands beside `aps`, as no code of the app would see it. */
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

/** What the payload weighs. */
export function liveActivityBytes(content: LiveActivityContent): number {
  return Buffer.byteLength(JSON.stringify(liveActivityPayload(content)));
}
