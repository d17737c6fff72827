// Whether people have agreed to messages where the tenant has their addresses from.

import { z } from 'zod';

export const consentSchema = z
  .enum(['confirmed', 'doubleOptIn'])
  .describe(
    'Whether the people have agreed to messages. `confirmed` (default): they have. `doubleOptIn`: an email address that takes no messages yet, and a topic with a double opt-in, wait until the owner of the address confirms the one mail that asks. Other channels cannot be asked by mail and are registered as with `confirmed`.',
  );
