// The wire shape of a sign-in link's token.

import { z } from 'zod';
import { linkTokenForm } from '../../call/session/link-token.ts';

export const exampleLinkToken = 'BNEXAMPLEexampleEXAMPLEexampleEXAMPLEexampl';

export const linkTokenSchema = z
  .string()
  .regex(linkTokenForm, 'expected the 43 characters after `=` in the link');
