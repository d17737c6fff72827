// The memory of the process while a file of 1 MB goes to many recipients: by SMTP, then by each
// kind of service, beside the same mails without the file. The sinks are in a child process.
// Run: node --expose-gc --import tsx bench/attachments.ts [--recipients=1000] [--kind=ses]

import { randomBytes } from 'node:crypto';
import { createEmail } from '../actors/channels/email/adapter.ts';
import { createOutbound } from '../actors/channels/outbound/outbound.ts';
import type { Adapter } from '../actors/channels/port/adapter.ts';
import type { Attempt } from '../actors/channels/port/attempt.ts';
import type { OpenRelay, RelayKindName } from '../actors/channels/port/open-relay.ts';
import { RelayAccounts } from '../actors/channels/relays/relay-accounts.ts';
import { formatId } from '../engine/base/id.ts';
import { benchConfigs, benchContext } from './support/bench-relays.ts';
import { numberOption, printSummary, textOption } from './support/options.ts';
import { startSink } from './support/provider-sink.ts';

const recipients = numberOption('recipients', 1_000);
const width = numberOption('width', 64);
const fileBytes = 1024 * 1024;
const file = new Uint8Array(randomBytes(fileBytes));
const mebibyte = 1024 * 1024;
const sampleMs = 5;

let serial = 0;
const sink = await startSink();
const outbound = createOutbound({ allowPrivateNetworks: true });
const context = benchContext(outbound, sink);
const asked = textOption('kind');
const kinds: readonly ('smtp' | RelayKindName)[] = [
  'smtp',
  ...(Object.keys(benchConfigs) as RelayKindName[]),
];
const figures: Record<string, number> = {};
for (const kind of kinds)
  if (asked === undefined || asked === kind) figures[kind] = await grownBy(kind);
printSummary('attachments', { recipients, width, ...figures });
await outbound.close();
sink.stop();

/** MiB that the process grew by at most because of the file. */
async function grownBy(kind: 'smtp' | RelayKindName): Promise<number> {
  const adapter = createEmail(context, new RelayAccounts(context));
  const relay: OpenRelay | undefined =
    kind === 'smtp'
      ? undefined
      : { id: `rel_${kind}`, kind, config: benchConfigs[kind] ?? {}, fingerprint: 'f' };
  await sendAll(adapter, relay, false);
  const bare = await highest(() => sendAll(adapter, relay, false));
  const withFile = await highest(() => sendAll(adapter, relay, true));
  await adapter.close();
  const grown = { rss: withFile.rss - bare.rss, external: withFile.external - bare.external };
  console.log(
    `${kind.padEnd(9)} resident +${mib(grown.rss)} MiB, buffers +${mib(grown.external)} MiB, ${withFile.seconds.toFixed(1)} s`,
  );
  return grown.rss / mebibyte;
}

function mib(bytes: number): string {
  return (bytes / mebibyte).toFixed(0).padStart(4);
}

interface Memory {
  readonly rss: number;
  readonly external: number;
  readonly seconds: number;
}

/** The highest of samples while `work` runs. */
async function highest(work: () => Promise<void>): Promise<Memory> {
  globalThis.gc?.();
  let [rss, external] = [0, 0];
  const sampler = setInterval(() => {
    const usage = process.memoryUsage();
    rss = Math.max(rss, usage.rss);
    external = Math.max(external, usage.external);
  }, sampleMs);
  const startMs = performance.now();
  await work();
  clearInterval(sampler);
  return { rss, external, seconds: (performance.now() - startMs) / 1000 };
}

async function sendAll(
  adapter: Adapter,
  relay: OpenRelay | undefined,
  hasFile: boolean,
): Promise<void> {
  let left = recipients;
  const lane = async () => {
    while (left-- > 0) {
      const attempt = anAttempt(hasFile);
      let outcome = await adapter.send(attempt, undefined, undefined, relay);
      // On a full machine a call may last longer than its deadline.
      while ('reason' in outcome && outcome.reason === 'timeout')
        outcome = await adapter.send(attempt, undefined, undefined, relay);
      if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome));
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

function anAttempt(hasFile: boolean): Attempt {
  const parts = { ordinal: 1, atMs: 1_700_000_000_000, high16: 0, low32: ++serial };
  const hash = 'sha256-of-the-file';
  const attached = {
    filename: 'invoice.pdf',
    contentType: 'application/pdf',
    hash,
    bytes: fileBytes,
  };
  return {
    sendId: formatId('ntf', parts),
    deviceId: formatId('dev', parts),
    appId: formatId('app', { ...parts, low32: 1 }),
    appName: 'Shop',
    channel: 'email',
    lane: 'express',
    attempt: 1,
    endpoint: `person${serial}@example.net`,
    registeredMs: parts.atMs,
    acceptedMs: parts.atMs,
    content: {
      title: 'Your invoice',
      body: '<p>It is attached.</p>',
      options: {},
      ...(hasFile && { mail: { attachments: [attached] } }),
    },
    ...(hasFile && { files: { [hash]: file } }),
    email: {
      fromAddress: 'shop@example.com',
      unsubscribeUrl: 'https://engage.example.com/u/token',
    },
  };
}
