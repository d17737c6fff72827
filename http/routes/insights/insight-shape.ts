// What insights share on the wire: the app, the range of days, and refusals about the app. The
// actor checks whether the app keeps events for that long.

import { z } from 'zod';
import { type Interval, intervals } from '../../../actors/insight/insights/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Call } from '../../call/call.ts';
import { appIdInput, namedApp, ofNamedApp } from '../named-app.ts';

export const wholeNumber = z.coerce.number().int().min(1);

export const daysWords =
  "Days to look back, at most the app's events retention. Default: 30, or the retention if it is shorter.";

export const daysQuery = wholeNumber.optional().describe(daysWords);

export const intervalQuery = z
  .enum(intervals)
  .default('day' satisfies Interval)
  .describe("Buckets follow the calendar of the app's time zone; weeks start on Monday.");

export const appIdQuery = appIdInput;

/** Asks the app that a call names, or the only one of its key. */
export async function askNamedApp<Reply>(
  call: Call<unknown, unknown>,
  appId: string | undefined,
  ask: (app: Ordinal) => Promise<Reply>,
): Promise<Reply> {
  const app = namedApp(call, appId);
  try {
    return await ask(app);
  } catch (error) {
    throw ofNamedApp(error, appId);
  }
}
