// Amazon SES, by its API of version 2. Events come through an Amazon SNS topic.

import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const configSchema = z.object({
  /** `us-east-1`: where the identities are verified. */
  region: z.string().regex(/^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/, 'must be an AWS region'),
  accessKeyId: secretText(16, 128),
  secretAccessKey: secretText(16, 256),
  /** Its event destination publishes to the topic. Without one SES reports no opens and delays. */
  configurationSet: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a configuration set')
    .optional(),
  /**
   * The only topic whose messages count: anyone may make a topic that publishes to any address, and
   * Amazon signs for all of them alike. Without it no event is taken.
   */
  topicArn: z
    .string()
    .regex(/^arn:aws[\w-]{0,20}:sns:[a-z\d-]{5,40}:\d{12}:[\w-]{1,256}$/, 'must be an SNS topic')
    .optional(),
});

export type SesConfig = z.infer<typeof configSchema>;

export const ses = {
  label: 'Amazon SES',
  channels: ['email'],
  configSchema,
  secrets: ['secretAccessKey'],
  urls: { SES: null },
  signs: {},
  events: { proof: "an Amazon SNS signature, by a certificate of the topic's region" },
} as const satisfies RelayKind;
