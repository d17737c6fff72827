// Files of ten megabytes to many people by each service: what the calls hold stays within a bound,
// however many mails are under way and however slow the service is.

import { randomFillSync } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Mail } from '../../../../actors/channels/email/mime.ts';
import type {
  Outbound,
  OutboundCall,
  OutboundResult,
} from '../../../../actors/channels/outbound/outbound-call.ts';
import type { AdapterContext } from '../../../../actors/channels/port/adapter.ts';
import type { RelayConfig, RelayKindName } from '../../../../actors/channels/port/open-relay.ts';
import { RelayAccounts } from '../../../../actors/channels/relays/relay-accounts.ts';
import { aRelayMail } from '../../../conformance/relay.ts';
import { providerConfig } from '../http-rig.ts';
import { acceptedMs, fixedClock } from '../stand-ins.ts';

const mib = 1024 * 1024;
const mailsOfEach = 12;
const content = randomFillSync(new Uint8Array(3 * mib));

const services: Readonly<Partial<Record<RelayKindName, readonly [RelayConfig, number, string]>>> = {
  ses: [
    { region: 'eu-west-1', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 's'.repeat(40) },
    200,
    '{"MessageId":"1"}',
  ],
  sendgrid: [{ apiKey: 'SG.a-key-of-the-test', region: 'global' }, 202, ''],
  postmark: [
    { serverToken: 't'.repeat(36), transactionalStream: 'outbound', marketingStream: 'broadcast' },
    200,
    '{"ErrorCode":0,"Message":"OK","MessageID":"1"}',
  ],
  mailgun: [
    { apiKey: 'key-of-the-test-0', domain: 'mg.example.com', region: 'us' },
    200,
    '{"id":"<1@mg.example.com>"}',
  ],
  resend: [{ apiKey: 're_a_key_of_the_test' }, 200, '{"id":"1"}'],
  brevo: [{ apiKey: 'xkeysib-a-key-of-the-test' }, 201, '{"messageId":"<1@brevo>"}'],
};

/** A client whose calls wait until `answer` is called, and which counts what they hold. */
class SlowOutbound implements Outbound {
  readonly allowPrivateNetworks = false;
  readonly #open: { readonly bytes: number; readonly resolve: (result: OutboundResult) => void }[] =
    [];
  mostBytes = 0;
  calls = 0;
  wasText = false;

  call({ body = '' }: OutboundCall): Promise<OutboundResult> {
    this.calls++;
    this.wasText ||= typeof body === 'string';
    return new Promise((resolve) => {
      this.#open.push({ bytes: Buffer.byteLength(body), resolve });
      this.mostBytes = Math.max(
        this.mostBytes,
        this.#open.reduce((sum, { bytes }) => sum + bytes, 0),
      );
    });
  }

  answerOne(status: number, body: string): void {
    this.#open.shift()?.resolve({ kind: 'answered', status, headers: {}, body, complete: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function sendAll(t: Test, kind: RelayKindName): Promise<void> {
  const [config, status, answer] = services[kind] ?? [{}, 200, ''];
  const outbound = new SlowOutbound();
  const context = { config: providerConfig({}), outbound, clock: fixedClock(acceptedMs) };
  const accounts = new RelayAccounts(context as unknown as AdapterContext);
  const account = await accounts.of({ id: 'rel_1', kind, config, fingerprint: 'f' });
  const attachments: Mail['attachments'] = [
    { filename: 'invoice.pdf', contentType: 'application/pdf', content, hash: 'one' },
  ];
  const all = Array.from({ length: mailsOfEach }, (_, n) =>
    account.send(aRelayMail({ attachments }, n + 1)),
  );
  let ended = 0;
  for (const one of all) void one.then(() => ended++);
  while (ended < mailsOfEach) {
    await new Promise((resolve) => setImmediate(resolve));
    outbound.answerOne(status, answer);
  }
  for (const one of all) t.match(await one, { outcome: 'accepted' });
  t.equal(outbound.calls, mailsOfEach);
  t.ok(outbound.mostBytes > 3 * mib, `${outbound.mostBytes}`);
  t.ok(outbound.mostBytes <= 16 * mib, `${kind} held ${outbound.mostBytes} bytes`);
  t.notOk(outbound.wasText, 'a text may take two bytes a character');
  await accounts.close();
}

for (const kind of Object.keys(services) as RelayKindName[])
  t.test(`${kind}: large files wait for each other`, (t) => sendAll(t, kind));
