// What a chat provider returns for a pressed button: our ids and the button's, so the right send
// counts it. Pure. It passes through the person's phone: trust it only in a signed callback.

import type { Attempt, Button } from './attempt.ts';

/** A button's postback as JSON text. `data` is the custom data, if the provider has room. */
export function postbackOf(
  attempt: Attempt,
  button: string,
  data?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ sendId: attempt.sendId, deviceId: attempt.deviceId, button, data });
}

/** A button's name in events: its id, or else its position. */
export function buttonName(button: Button, index: number): string {
  return button.id ?? `button-${index + 1}`;
}
