// An SDK's first call: the public data of an app, and where to send events.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { serviceBranding } from '../../../actors/tenants/accounts/records.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { brandingSchema, brandingView } from '../org/branding-shape.ts';
import { sdkCall, sdkRefusals } from './sdk-shape.ts';

const sdkAppSchema = z
  .object({
    appId: z.string(),
    name: z.string(),
    vapidPublicKey: z
      .string()
      .nullable()
      .describe('Web push `applicationServerKey`: a P-256 public key in base64url.'),
    branding: brandingSchema,
    features: z.object({
      webPush: z.boolean().describe('Whether browsers can subscribe to web push.'),
      identityVerification: z
        .enum(['required', 'first-use', 'open'])
        .describe('What a login with an `externalUserId` must prove.'),
    }),
    ingestUrl: z.string().describe('Where to post events: `<ingestUrl>/e`.'),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        name: 'Acme Shop',
        vapidPublicKey:
          'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
        branding: serviceBranding,
        features: { webPush: true, identityVerification: 'first-use' },
        ingestUrl: 'https://engage.example.com',
      },
    ],
  });

export const readSdkApp = route({
  method: 'GET',
  path: '/v1/sdk/app/:appId',
  summary: 'Read the SDK configuration',
  description: 'No API key is needed. CORS: any origin may call it, like all of `/v1/sdk/`.',
  ...sdkCall,
  reads: ['app', 'settings'],
  responses: { 200: { description: "The app's public configuration.", schema: sdkAppSchema } },
  refusals: sdkRefusals,
  async handle(call) {
    const app = call.app();
    const { name, vapidPublicKey, identityVerification, branding } = await call
      .to<IdentityProtocol>(app)
      .ask('sdk.describe', {}, { lane: 'bulk' });
    return {
      status: 200,
      body: {
        appId: call.param('appId'),
        name,
        vapidPublicKey,
        branding: brandingView(branding),
        features: { webPush: vapidPublicKey !== null, identityVerification },
        ingestUrl: call.edge.config.ingestUrl,
      },
    };
  },
});
