// The attempts of one call, oldest first, as links above the message. Nothing if there is only one.

import { Badge } from '../ui/badge.tsx';
import { addressOfMessage } from './address.ts';
import { type MessageList, type ReceivedMessage, useControl } from './control.ts';
import { resultText, tones } from './outcome.tsx';
import { arrivalTime, attemptKey } from './row-words.ts';
import { words } from './words.ts';

export function AttemptLinks({ message }: { readonly message: ReceivedMessage }) {
  const { id, channel, sendId = '', to } = message;
  const query = new URLSearchParams({ channel, sendId, to, limit: '50' });
  const { data } = useControl<MessageList>(`/messages?${query}`, { isEnabled: sendId !== '' });
  const attempts = (data?.messages ?? [])
    .filter((other) => attemptKey(other) === attemptKey(message))
    .toReversed();
  if (attempts.length < 2) return null;
  return (
    <nav className="inbox-attempts" aria-label={words.reader.attempts}>
      {attempts.map((one, at) => (
        <a
          key={one.id}
          href={addressOfMessage(one.id)}
          aria-current={one.id === id ? 'true' : undefined}
        >
          <strong>{words.reader.attempt(at + 1)}</strong>
          <Badge tone={tones[one.outcome]}>{`${arrivalTime(one.at)} · ${resultText(one)}`}</Badge>
        </a>
      ))}
    </nav>
  );
}
