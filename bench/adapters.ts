// A channel adapter's messages per second of this process's CPU, against minimal sinks in a child
// process. Only the ratios to its parts (bare HTTP, cryptography, the common library) count.
// Run: npx tsx bench/adapters.ts [seconds per line]

import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { connect } from 'node:http2';
import { Pool } from 'undici';
import webpush from 'web-push';
import { createOutbound } from '../actors/channels/outbound/outbound.ts';
import type { Attempt } from '../actors/channels/port/attempt.ts';
import type { Outcome } from '../actors/channels/port/outcome.ts';
import type { ProviderConfig } from '../actors/channels/port/provider-config.ts';
import { createAdapters } from '../actors/channels/registry.ts';
import { encrypt } from '../actors/channels/webpush/encryption.ts';
import {
  bareCryptography,
  bareHttp2Post,
  barePost,
  nodemailerPool,
  perCore,
  pushBody,
} from './support/bare-senders.ts';
import { startSink } from './support/provider-sink.ts';

await run(Number(process.argv[2] ?? 1.5));

type Line = (name: string, width: number, work: () => unknown) => Promise<void>;
type Senders = Awaited<ReturnType<typeof makeSenders>>;

async function run(seconds: number): Promise<void> {
  const sink = await startSink();
  const { httpPort, smtpPort, http2Port } = sink;
  const base = `http://127.0.0.1:${httpPort}`;
  const senders = await makeSenders(base, smtpPort, http2Port);
  const { outbound, adapters, tracking, signing } = senders;
  const lines: [string, number][] = [];
  const line = async (name: string, width: number, work: () => unknown) => {
    const rate = await perCore(seconds, width, work);
    lines.push([name, rate]);
    const first = lines[0]?.[1] ?? rate;
    console.log(
      `  ${name.padEnd(52)} ${Math.round(rate).toLocaleString().padStart(9)} /s/core  ${(rate / first).toFixed(2)}x`,
    );
  };

  const call = {
    method: 'POST',
    url: `${base}/v1/x`,
    destination: 'trusted',
    body: pushBody,
  } as const;

  console.log('fcm');
  const pool = new Pool(base, { connections: 64 });
  await line('undici Pool.dispatch alone', 64, () => barePost(pool, pushBody));
  await line('outbound.call alone', 64, () => outbound.call(call));
  await line('the adapter', 64, send(adapters, {}));
  await pool.close();

  console.log('apns');
  lines.length = 0;
  const session = connect(`http://127.0.0.1:${http2Port}`);
  await line('node:http2 alone', 64, () => bareHttp2Post(session, pushBody));
  await line('the adapter', 64, send(adapters, { channel: 'apns', endpoint: 'ab'.repeat(32) }));
  session.close();

  console.log('webpush');
  lines.length = 0;
  await webPush(line, senders);
  console.log('email');
  lines.length = 0;
  await emails(line, senders, smtpPort);
  console.log('http channels');
  lines.length = 0;
  await line('outbound.call alone', 64, () => outbound.call(call));
  await httpChannels(line, senders);

  for (const set of [adapters, tracking, signing])
    await Promise.all([...set.values()].map((one) => one.close()));
  await outbound.close();
  sink.stop();
}

async function makeSenders(base: string, smtpPort: number, http2Port: number) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}?connections=16&messages=100000`;
  const config: ProviderConfig = {
    mode: 'sandbox',
    urls: {
      FCM: base,
      APNS: `http://127.0.0.1:${http2Port}`,
      CARRIER: base,
      WHATSAPP: base,
      TELEGRAM: base,
      RCS: base,
      LINE: base,
      ZALO: base,
      VIBER: base,
      KAKAO: base,
    },
    webPushUrl: base,
    smtp: { url: smtpUrl },
    vapidSubject: 'mailto:bench@example.com',
    publicUrl: 'http://127.0.0.1',
  };
  const outbound = createOutbound({ allowPrivateNetworks: false });
  const adapters = await createAdapters(config, outbound);
  const tracking = await createAdapters(
    { ...config, bounceDomain: 'bounces.example.com' },
    outbound,
    undefined,
    undefined,
    [randomBytes(32)],
  );
  const signing = await createAdapters(
    {
      ...config,
      smtp: { url: smtpUrl, dkim: { domain: 'example.com', selector: 's', privateKey: pem } },
    },
    outbound,
  );
  return { outbound, adapters, tracking, signing };
}

function attempt(over: Partial<Attempt>): Attempt {
  return {
    sendId: 'ntf_00000000000000000000000001',
    deviceId: 'dev_00000000000000000000000001',
    appId: 'app_00000000000000000000000001',
    appName: 'Shop',
    channel: 'fcm',
    lane: 'bulk',
    attempt: 1,
    endpoint: 'x'.repeat(150),
    registeredMs: Date.now(),
    acceptedMs: Date.now(),
    content: { title: 'Your order has shipped', body: 'y'.repeat(180), options: {} },
    ...over,
  };
}

function send(from: Senders['adapters'], over: Partial<Attempt>, credentials?: unknown) {
  const one = attempt(over);
  const adapter = from.get(one.channel);
  if (adapter === undefined) throw new Error('no adapter');
  return async () => must(await adapter.send(one, credentials));
}

async function webPush(line: Line, { adapters }: Senders): Promise<void> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') };
  const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', keys };
  const vapid = webpush.generateVAPIDKeys();
  const plaintext = JSON.stringify({ title: 'Your order has shipped', body: 'y'.repeat(300) });
  const plaintextBytes = Buffer.from(plaintext);

  await line('bare ECDH key, shared secret and AES-GCM', 1, () =>
    bareCryptography(browser.getPublicKey(), plaintextBytes),
  );
  await line('encrypt', 1, () => encrypt(keys, plaintextBytes));
  const content = { title: 'Your order has shipped', body: 'y'.repeat(180), options: {} };
  await line(
    'the adapter, sending',
    64,
    send(adapters, { channel: 'webpush', endpoint: subscription, content }),
  );
  const vapidDetails = { subject: 'mailto:a@example.com', ...vapid };
  await line('web-push generateRequestDetails, not sending', 1, () =>
    webpush.generateRequestDetails(subscription, plaintext, {
      vapidDetails,
      contentEncoding: 'aes128gcm',
    }),
  );
}

async function emails(
  line: Line,
  { adapters, tracking, signing }: Senders,
  smtpPort: number,
): Promise<void> {
  const html = `<p>${'Hello world, your order has shipped. '.repeat(20)}</p>`;
  const email: Partial<Attempt> = {
    channel: 'email',
    endpoint: 'person@example.net',
    content: { title: 'Your order', body: html, options: {} },
    email: {
      fromAddress: 'shop@example.com',
      unsubscribeUrl: 'https://engage.example.com/u/token',
    },
  };

  const five = [1, 2, 3, 4, 5].map((i) => `<a href="https://shop.example.com/?i=${i}">it</a>`);
  const address = `https://engage.example.com/c/${'A'.repeat(110)}`;
  const pixel = `<img src="${address}.gif" width="1" height="1" alt="">`;
  const asLong = `${html}<p>${five.join(' ').replace(/https:[^"]+/g, address)}</p>${pixel}`;
  const trackedEmail: Partial<Attempt> = {
    ...email,
    content: { title: 'Your order', body: `${html}<p>${five.join(' ')}</p>`, options: {} },
    email: { ...email.email, unsubscribeUrl: 'https://x.test/u/t', person: 1, isTracked: true },
  };

  await line('the adapter', 64, send(adapters, email));
  await line('the adapter, tracking five links', 64, send(tracking, trackedEmail));
  await line('the adapter, signing with RSA-2048', 64, send(signing, email, 'platform'));
  const transport = nodemailerPool(smtpPort);
  const mail = {
    from: 'shop@example.com',
    to: 'person@example.net',
    subject: 'Your order',
    text: 'Hello',
    html,
  };
  await line("nodemailer's pool", 64, () => transport.sendMail(mail));
  await line("nodemailer's pool, as many links as long", 64, () =>
    transport.sendMail({ ...mail, html: asLong }),
  );
  transport.close();
}

async function httpChannels(line: Line, { adapters }: Senders): Promise<void> {
  const phone = '+66812345678';
  await line('sms', 64, send(adapters, { channel: 'sms', endpoint: phone }));
  await line('voice', 64, send(adapters, { channel: 'voice', endpoint: phone }));
  await line('whatsapp', 64, send(adapters, { channel: 'whatsapp', endpoint: phone }));
  await line('telegram', 64, send(adapters, { channel: 'telegram', endpoint: '123456789' }));
  await line('rcs', 64, send(adapters, { channel: 'rcs', endpoint: phone }));
  await line('line', 64, send(adapters, { channel: 'line', endpoint: `U${'0'.repeat(32)}` }));
  await line(
    'zalo',
    64,
    send(adapters, { channel: 'zalo', endpoint: '1'.repeat(19), lane: 'express' }),
  );
  await line('viber', 64, send(adapters, { channel: 'viber', endpoint: '01234567890A=' }));
  const kakao = { templateId: 'KA01TP0', variables: { name: 'Ann', order: '1234' } };
  const template = { body: '', payload: { kakao }, options: {} };
  await line(
    'kakao',
    64,
    send(adapters, { channel: 'kakao', endpoint: '+821012345678', content: template }),
  );
}

function must(outcome: Outcome): void {
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome));
}
