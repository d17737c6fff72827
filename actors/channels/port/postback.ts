// What a chat provider returns for a pressed button: our ids and the button's, so the right send
// counts it. Pure. It passes through the person's phone: trust it only in a signed callback.

import type { Attempt, Button } from './attempt.ts';
import { parseObject, textOf } from './json.ts';

/** A button's postback as JSON text. `data` is the custom data, if the provider has room. */
export function postbackOf(
  attempt: Attempt,
  button: string,
  data?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ sendId: attempt.sendId, deviceId: attempt.deviceId, button, data });
}

/** What a pressed button's data says: our name of it if we made the data. */
export function postbackText(data: string): string {
  return data.startsWith('{') ? textOf(parseObject(data)['button']) : data;
}

/** The message that a pressed button's data names; `undefined` if we did not make it. */
export function postbackSend(
  data: string,
): { readonly sendId: string; readonly deviceId: string } | undefined {
  if (!data.startsWith('{')) return undefined;
  const made = parseObject(data);
  const [sendId, deviceId] = [textOf(made['sendId']), textOf(made['deviceId'])];
  return sendId === '' || deviceId === '' ? undefined : { sendId, deviceId };
}

/** A button's name in events: its id, or else its position. */
export function buttonName(button: Button, index: number): string {
  return button.id ?? `button-${index + 1}`;
}
