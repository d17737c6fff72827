// How a call ended, where that is not a plain acceptance: `404 · dead*`, `no response · hang*`.

import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../words/tone.ts';
import type { ReceivedMessage } from './control.ts';
import { words } from './words.ts';

export const tones: Readonly<Record<ReceivedMessage['outcome'], Tone>> = {
  accepted: 'good',
  refused: 'bad',
  unanswered: 'notice',
};

/** The code of the response, if there was one. */
export function resultText({
  outcome,
  status,
}: Pick<ReceivedMessage, 'outcome' | 'status'>): string {
  return outcome === 'unanswered' ? words.list.noResponse : String(status);
}

export function OutcomeBadge({ message }: { readonly message: ReceivedMessage }) {
  const { outcome, fault } = message;
  if (outcome === 'accepted' && fault === undefined) return null;
  return (
    <Badge tone={outcome === 'accepted' ? 'notice' : tones[outcome]}>
      {[resultText(message), fault].filter((part) => part !== undefined).join(' · ')}
    </Badge>
  );
}
