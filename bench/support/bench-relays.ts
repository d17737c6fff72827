// Relays of each kind, whose accounts lead to a sink.

import type { ProviderUrlName } from '../../actors/channels/channel-ids.ts';
import type { AdapterContext } from '../../actors/channels/port/adapter.ts';
import type { RelayConfig, RelayKindName } from '../../actors/channels/port/open-relay.ts';
import { relayKinds } from '../../actors/channels/relays/kinds.ts';
import { systemClock } from '../../engine/time/clock.ts';

const secret = 'x'.repeat(32);

/** What a tenant enters, by kind. */
export const benchConfigs: Readonly<Partial<Record<RelayKindName, RelayConfig>>> = {
  ses: { region: 'us-east-1', accessKeyId: 'AKIABENCH00000000000', secretAccessKey: secret },
  sendgrid: { apiKey: `SG.${secret}`, region: 'global' },
  mailgun: { apiKey: secret, domain: 'mail.example.com', region: 'us' },
  postmark: { serverToken: secret, transactionalStream: 'outbound', marketingStream: 'broadcast' },
  resend: { apiKey: `re_${secret}` },
  brevo: { apiKey: `xkeysib-${secret}` },
};

interface Sink {
  readonly httpPort: number;
  readonly smtpPort: number;
}

/** All services, and the server's own relay, at the sink. */
export function benchContext(
  outbound: AdapterContext['outbound'],
  { httpPort, smtpPort }: Sink,
): AdapterContext {
  const names = Object.values(relayKinds).flatMap((kind) => Object.keys(kind.urls ?? {}));
  const base = `http://127.0.0.1:${httpPort}`;
  return {
    config: {
      mode: 'live',
      urls: Object.fromEntries(names.map((name) => [name as ProviderUrlName, base])),
      smtp: { url: `smtp://127.0.0.1:${smtpPort}?connections=16` },
      vapidSubject: 'mailto:bench@example.com',
      publicUrl: 'http://127.0.0.1',
    },
    outbound,
    clock: systemClock,
  };
}
