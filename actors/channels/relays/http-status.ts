// What the HTTP status of a mail service means where its words say nothing better. Pure. A mail
// that may have been taken is never given to another relay, so whatever leaves that open is
// `ambiguous`.

import { httpMeaning, type Meaning } from '../port/answers.ts';

/** No program behind the server has seen the call, so nothing was sent. 52x are Cloudflare's. */
const unseen: ReadonlySet<number> = new Set([501, 503, 505, 521, 523, 525, 526]);

export function statusMeaning(status: number): Meaning {
  switch (status) {
    case 401:
      return ['config', 'relay_authentication'];
    case 402: // unpaid
    case 404:
    case 405:
    case 406:
    case 415:
      return ['config', 'relay_refused'];
    case 413:
      return ['permanent', 'message_too_large'];
  }
  if (status >= 200 && status < 300) return ['ambiguous', 'answer_unreadable'];
  // The program may have failed, or the server lost patience, after the mail was taken.
  if (status >= 500 && !unseen.has(status)) return ['ambiguous', `http_${status}`];
  return httpMeaning(status);
}
