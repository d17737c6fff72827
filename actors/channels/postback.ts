// What a chat provider sends back when a person presses a button: our ids and the button's, so that
// the press can be told to the send that showed it. Pure. Easily got wrong: it travels through the
// person's phone, and is to be believed only as part of a callback that the provider signed.

import type { Attempt, Button } from './attempt.ts';

/**
 * What a button made of the message's deep link says, on channels that have no other place for the
 * link.
 */
export const deepLinkLabel = 'Open';

/**
 * A button's postback as JSON text. `data` is the message's custom data, where the provider leaves
 * room for it.
 */
export function postbackOf(
  attempt: Attempt,
  button: string,
  data?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ sendId: attempt.sendId, deviceId: attempt.deviceId, button, data });
}

/** The name by which a press is told: the button's id, or its place where it has none. */
export function buttonName(button: Button, index: number): string {
  return button.id ?? `button-${index + 1}`;
}
