// What a chat provider sends back when a person presses a button: our ids and the button's, so that
// the press is counted for the send that showed it. Pure. It passes through the person's phone, so
// trust it only in a callback that the provider signed.

import type { Attempt, Button } from './attempt.ts';

/** The label of a button for the deep link, on channels without another place for that link. */
export const deepLinkLabel = 'Open';

/**
 * A button's postback as JSON text. `data` is the message's custom data, where the provider has
 * room for it.
 */
export function postbackOf(
  attempt: Attempt,
  button: string,
  data?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ sendId: attempt.sendId, deviceId: attempt.deviceId, button, data });
}

/** The name of a button in events: its id, or its position where it has none. */
export function buttonName(button: Button, index: number): string {
  return button.id ?? `button-${index + 1}`;
}
