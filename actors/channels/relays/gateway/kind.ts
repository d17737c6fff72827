// Any gateway for texts that is called over HTTP, described by its tenant or by a recipe.

import type { RelayKind } from '../relay.ts';
import { gatewaySchema } from './config.ts';

export const http = {
  label: 'HTTP gateway',
  channels: ['sms'],
  configSchema: gatewaySchema,
  secrets: ['credentials'],
  urls: { GATEWAY: null },
  events: {
    proof:
      'As the relay says: a token in the address, a header, a login, or an HMAC over the body or its fields.',
  },
} as const satisfies RelayKind;
