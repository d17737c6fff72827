// The bare cost of sending: web push's cryptography, an HTTP call, nodemailer's pool. Adapters and
// a whole server's dispatch are given as ratios to these, from the same run.

import { createCipheriv, createECDH } from 'node:crypto';
import type { ClientHttp2Session } from 'node:http2';
import nodemailer, { type Transporter } from 'nodemailer';
import type { Pool } from 'undici';

/** Runs `work` in `width` lanes for `seconds` after a warm-up; returns runs per CPU second. */
export async function perCore(
  seconds: number,
  width: number,
  work: () => unknown,
): Promise<number> {
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

/** A key pair, a shared secret and AES-GCM over `plaintext`: the minimum for encrypted web push. */
export function bareCryptography(receiver: Buffer, plaintext: Buffer): Buffer {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = pair.computeSecret(receiver);
  const cipher = createCipheriv('aes-128-gcm', secret.subarray(0, 16), secret.subarray(16, 28));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** One JSON POST by undici's cheapest call; resolves when the answer is complete. */
export function barePost(pool: Pool, body: string): Promise<void> {
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

/** One HTTP/2 POST with a push's headers; resolves when its stream is closed. */
export function bareHttp2Post(session: ClientHttp2Session, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/3/device/x',
      'apns-topic': 'sandbox',
      'apns-push-type': 'alert',
      authorization: 'bearer sandbox',
    });
    stream.on('error', reject);
    stream.once('close', resolve);
    stream.resume();
    stream.end(body);
  });
}

/** A body of FCM's size for `barePost`. */
export const pushBody = JSON.stringify({
  message: { token: 'x'.repeat(150), notification: { title: 't', body: 'y'.repeat(180) } },
});

/** nodemailer's pool at its best: connections stay open. */
export function nodemailerPool(smtpPort: number): Transporter {
  return nodemailer.createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    pool: true,
    maxConnections: 16,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  });
}
