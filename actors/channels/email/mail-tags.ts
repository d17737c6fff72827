// What a mail is tagged with at the service that takes it: its campaign or journey, and its stream,
// so that the service's own statistics can be read by them. Ids, not names: names change, may say
// what no third party should read, and each spelling would be a tag of its own. Pure.

import type { Attempt } from '../port/attempt.ts';
import type { Stream } from '../port/open-relay.ts';
import type { RelayMail } from './relay-mail.ts';

/** The most telling first, for services that keep one. */
export function mailTags({ email }: Pick<Attempt, 'email'>, stream: Stream): RelayMail['tags'] {
  const { campaignId, journeyId } = email ?? {};
  return {
    ...(campaignId === undefined ? {} : { campaign: campaignId }),
    ...(journeyId === undefined ? {} : { journey: journeyId }),
    stream,
  };
}

/** Whose reputation a mail shares, and which relays take it. */
export function streamOfAttempt({ lane, stream }: Pick<Attempt, 'lane' | 'stream'>): Stream {
  return stream ?? (lane === 'express' ? 'transactional' : 'marketing');
}
