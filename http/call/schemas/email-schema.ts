// An email address in a request body.

import { z } from 'zod';
import { emailAddress } from '../../../actors/channels/email/address.ts';

export const emailSchema = z
  .string()
  .trim()
  .max(320)
  .superRefine((raw, context) => {
    const checked = emailAddress(raw);
    if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
  });
