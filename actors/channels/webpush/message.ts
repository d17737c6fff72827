// What a service worker receives: a notification's options, and our ids, with which it reports
// opens and clicks. Pure. Push services limit the encrypted body, so the text is limited here.

import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { webPushPlaintextBytesMax } from './encryption.ts';

/** The JSON for one browser before encryption, or why there is none. */
export function webPushMessage(attempt: Attempt): { readonly plaintext: Buffer } | Failure {
  const plaintext = Buffer.from(textOf(attempt));
  if (plaintext.length <= webPushPlaintextBytesMax) return { plaintext };
  const words = `${plaintext.length} bytes, ${webPushPlaintextBytesMax} are allowed`;
  return failure('permanent', 'payload_too_large', words);
}

function textOf(attempt: Attempt): string {
  const { content, sendId, deviceId } = attempt;
  const { badgeCount, collapseKey, sound } = content.options;
  return JSON.stringify({
    title: content.title ?? attempt.appName,
    body: content.body,
    image: content.image,
    tag: collapseKey,
    // A message that replaces one with the same tag would otherwise make no sound.
    renotify: collapseKey === undefined ? undefined : true,
    silent: sound === 'none' ? true : undefined,
    actions: content.buttons?.map((button, index) => ({
      action: button.id ?? `button-${index + 1}`,
      title: button.label,
      url: button.url,
    })),
    data: { ...content.data, deepLink: content.deepLink, badgeCount },
    messageId: sendId,
    deviceId,
  });
}
