// When an address rests after soft bounces, on the wire.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';

export const softBouncesPatch = z.object({
  inARow: integerRange(2, 50).describe('Soft bounces in a row, with no delivery in between.'),
  overDays: integerRange(0, 60).describe('From the first to the last of them, at least.'),
  restDays: integerRange(1, 90).describe('How long the address rests.'),
});

export const softBouncesWords =
  'When an address rests because emails to it come back for reasons that pass, such as a full mailbox: marketing is then `suppressed` with the reason `resting`, transactional email is sent. One more soft bounce after a rest begins another; a delivery starts the count again. `null`: no address rests.';
