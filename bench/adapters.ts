// What a channel adapter costs: messages per second of this process's CPU, against sinks in a child process that answer
// as cheaply as they can. Beside each figure stands what it is made of (bare HTTP, bare cryptography, the library that
// others use), measured in the same run; only those ratios mean anything on a shared machine.
// Run: npx tsx bench/adapters.ts [seconds per line]

import { fork } from 'node:child_process';
import { createCipheriv, createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import nodemailer from 'nodemailer';
import { Pool } from 'undici';
import webpush from 'web-push';
import type { Attempt, Outcome } from '../actors/channels/adapter.ts';
import type { ProviderConfig } from '../actors/channels/provider-config.ts';
import { createAdapters } from '../actors/channels/registry.ts';
import { encrypt } from '../actors/channels/webpush-encryption.ts';
import { createOutbound } from '../actors/outbound.ts';

if (process.argv[2] === 'sink') sink();
else await run(Number(process.argv[2] ?? 1.5));

/** The child: an HTTP and an SMTP server that understand just enough, and tell their ports. */
function sink(): void {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 34\r\n\r\n{"name":"projects/p/messages/0:1"}';
  const http = createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    let wanted = -1; // bytes of the body still to come; -1 while reading the head
    let head = '';
    socket.on('data', (chunk) => {
      let rest: Buffer = Buffer.from(chunk);
      while (rest.length > 0) {
        if (wanted < 0) {
          head += rest.toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          rest = rest.subarray(rest.length - (head.length - end - 4));
          head = '';
        }
        const taken = Math.min(wanted, rest.length);
        wanted -= taken;
        rest = rest.subarray(taken);
        if (wanted === 0) {
          wanted = -1;
          socket.write(answer);
        }
      }
    });
  });
  const smtp = createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    let inData = false;
    let received = '';
    socket.write('220 sink ESMTP\r\n');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      let out = '';
      for (;;) {
        const end = received.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) break;
        const line = received.slice(0, 4);
        received = received.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          out += '250 2.0.0 queued\r\n';
        } else if (line === 'EHLO') out += '250-sink\r\n250 PIPELINING\r\n';
        else if (line === 'DATA') {
          inData = true;
          out += '354 go\r\n';
        } else out += '250 ok\r\n';
      }
      if (out !== '') socket.write(out);
    });
  });
  let open = 2;
  const tell = () => {
    if (--open > 0) return;
    const ports = [http, smtp].map((server) => {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    });
    process.send?.(ports);
  };
  http.listen(0, '127.0.0.1', tell);
  smtp.listen(0, '127.0.0.1', tell);
}

async function run(seconds: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['sink']);
  const [httpPort, smtpPort] = await new Promise<[number, number]>((resolve) =>
    child.once('message', (ports) => resolve(ports as [number, number])),
  );
  const base = `http://127.0.0.1:${httpPort}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}?connections=16&messages=100000`;
  const config: ProviderConfig = {
    mode: 'sandbox',
    urls: { FCM: base },
    webPushUrl: base,
    smtp: { url: smtpUrl },
    vapidSubject: 'mailto:bench@example.com',
    publicUrl: 'http://127.0.0.1',
  };
  const outbound = createOutbound({ allowPrivateNetworks: false });
  const adapters = createAdapters(config, outbound);
  const signing = createAdapters(
    {
      ...config,
      smtp: { url: smtpUrl, dkim: { domain: 'example.com', selector: 's', privateKey: pem } },
    },
    outbound,
  );

  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') };
  const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', keys };
  const vapid = webpush.generateVAPIDKeys();
  const plaintext = JSON.stringify({ title: 'Your order has shipped', body: 'y'.repeat(300) });
  const plaintextBytes = Buffer.from(plaintext);

  const attempt = (over: Partial<Attempt>): Attempt => ({
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
  });
  const send = (from: typeof adapters, over: Partial<Attempt>, credentials?: unknown) => {
    const one = attempt(over);
    const adapter = from.get(one.channel);
    if (adapter === undefined) throw new Error('no adapter');
    return async () => must(await adapter.send(one, credentials));
  };
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

  const lines: [string, number][] = [];
  const line = async (name: string, width: number, work: () => unknown) => {
    const rate = await measure(seconds, width, work);
    lines.push([name, rate]);
    const first = lines[0]?.[1] ?? rate;
    console.log(
      `  ${name.padEnd(52)} ${Math.round(rate).toLocaleString().padStart(9)} /s/core  ${(rate / first).toFixed(2)}x`,
    );
  };

  console.log('fcm');
  const pool = new Pool(base, { connections: 64 });
  const body = JSON.stringify({
    message: { token: 'x'.repeat(150), notification: { title: 't', body: 'y'.repeat(180) } },
  });
  await line('undici Pool.dispatch alone', 64, () => dispatch(pool, body));
  const call = { method: 'POST', url: `${base}/v1/x`, destination: 'trusted', body } as const;
  await line('outbound.call alone', 64, () => outbound.call(call));
  await line('the adapter', 64, send(adapters, {}));
  await pool.close();

  console.log('webpush');
  lines.length = 0;
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

  console.log('email');
  lines.length = 0;
  await line('the adapter', 64, send(adapters, email));
  await line('the adapter, signing with RSA-2048', 64, send(signing, email));
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    pool: true,
    maxConnections: 16,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  });
  const mail = {
    from: 'shop@example.com',
    to: 'person@example.net',
    subject: 'Your order',
    text: 'Hello',
    html,
  };
  await line("nodemailer's pool", 64, () => transport.sendMail(mail));
  transport.close();

  for (const set of [adapters, signing])
    await Promise.all([...set.values()].map((one) => one.close()));
  await outbound.close();
  child.kill();
}

/** Runs `work` in `width` lanes for a while and gives runs per second of this process's CPU. */
async function measure(seconds: number, width: number, work: () => unknown): Promise<number> {
  const lanes = async (untilMs: number) => {
    let runs = 0;
    const lane = async () => {
      while (performance.now() < untilMs) {
        await work();
        runs++;
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
    return runs;
  };
  await lanes(performance.now() + seconds * 800);
  const before = process.cpuUsage();
  const runs = await lanes(performance.now() + seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  return runs / ((user + system) / 1e6);
}

function must(outcome: Outcome): void {
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome));
}

function bareCryptography(receiver: Buffer, plaintext: Buffer): Buffer {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = pair.computeSecret(receiver);
  const cipher = createCipheriv('aes-128-gcm', secret.subarray(0, 16), secret.subarray(16, 28));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function dispatch(pool: Pool, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path: '/v1/x', method: 'POST', body, headers: { 'content-type': 'application/json' } },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
