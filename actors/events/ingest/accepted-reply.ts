// The most frequent answer, which fronts derive for requests that were asked together.

import type { IngestReply } from '../protocol.ts';

/** That of a request with a key whose events were all accepted and new. */
export function acceptedReply(events: number): IngestReply {
  return {
    accepted: events,
    rejected: 0,
    repeated: 0,
    errors: [],
    keylessCreated: 0,
    namesBrought: 0,
  };
}
