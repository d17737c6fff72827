// Google's service account: the credential of FCM and part of that of RCS.

import { z } from 'zod';
import { privateKey } from '../port/credential-forms.ts';

/** Drops unneeded fields, `token_uri` among them. Google's other key files hold no signing key. */
export const serviceAccountSchema = z
  .object({
    type: z.literal(
      'service_account',
      'must be "service_account": upload the key file of a Google service account',
    ),
    project_id: z.string().regex(/^[a-z0-9:.-]{4,64}$/, 'must be a Google project id'),
    client_email: z
      .string()
      .regex(
        /^[A-Za-z0-9._-]{1,128}@[A-Za-z0-9.-]{1,128}$/,
        "must be the service account's email address",
      ),
    private_key: privateKey('rsa', 'must be an RSA private key in PEM form'),
    private_key_id: z
      .string()
      .regex(/^[A-Za-z0-9]{1,128}$/, 'must be 1 to 128 letters or digits')
      .optional(),
  })
  .transform(({ type: _type, ...account }) => account);
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;
