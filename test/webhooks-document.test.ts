// docs/WEBHOOKS.md against the code that sends: its code verifies what is sent and nothing else,
// and its examples are what is sent.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { headersOf } from '../actors/integrations/webhooks/call/headers.ts';
import { systemClock } from '../engine/time/clock.ts';
import { makeWebhookSecret } from '../http/call/keys/webhook-secret.ts';
import {
  webhookExamples,
  webhookKindWords,
  webhookPayloadSchema,
} from '../http/describe/webhook-events.ts';
import { aCaller, anAttempt } from './actors/integrations/webhooks/call/receivers.ts';
import { codeBlocks, documentedScripts } from './support/documented-code.ts';
import { root } from './support/places.ts';

const page = 'docs/WEBHOOKS.md';
const url = 'https://hooks.acme.example/engage';
const ownSecret = 'a-secret-of-the-receiver';

interface Case {
  readonly says: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A delivery, and what must not pass for one. */
function cases(secret: string): { right: Case[]; wrong: Case[] } {
  const nowMs = systemClock.now();
  const body = '{"id":"whd_1","type":"message.opened","meta":{"name":"Zoë"}}';
  const signed = (over: Partial<Parameters<typeof anAttempt>[0]> = {}) =>
    headersOf(anAttempt({ url, secrets: [secret], body: Buffer.from(body), atMs: nowMs, ...over }));
  const headers = signed();
  const one = (says: string, over: Partial<Case>): Case => ({
    says,
    secret,
    headers,
    body,
    ...over,
  });
  const other = makeWebhookSecret();
  return {
    right: [
      one('a delivery', {}),
      one('with the new secret of a rotation', { headers: signed({ secrets: [secret, other] }) }),
      one('with the old secret of a rotation', { headers: signed({ secrets: [other, secret] }) }),
      one('four minutes old', { headers: signed({ atMs: nowMs - 240_000 }) }),
    ],
    wrong: [
      one('another secret', { secret: other }),
      one('another body', { body: body.replace('Zoë', 'Zoe') }),
      one('another id', { headers: { ...headers, 'webhook-id': 'whd_2' } }),
      one('six minutes old', { headers: signed({ atMs: nowMs - 360_000 }) }),
      one('six minutes ahead', { headers: signed({ atMs: nowMs + 360_000 }) }),
      one('an older body with a new time', {
        headers: {
          ...signed({ atMs: nowMs - 360_000 }),
          'webhook-timestamp': `${Math.floor(nowMs / 1000)}`,
        },
      }),
      one('no signature', { headers: { ...headers, 'webhook-signature': '' } }),
      one('another version of signatures', {
        headers: {
          ...headers,
          'webhook-signature': `v2,${headers['webhook-signature']?.slice(3)}`,
        },
      }),
    ],
  };
}

t.test('the JavaScript of the document takes every delivery and nothing else', async (t) => {
  const folder = documentedScripts(t, page);
  const { verifyWebhook } = await import(pathToFileURL(join(folder, 'verify-webhook.mjs')).href);
  for (const secret of [makeWebhookSecret(), ownSecret]) {
    const { right, wrong } = cases(secret);
    for (const { says, secret, headers, body } of right) {
      t.same(verifyWebhook(secret, headers, Buffer.from(body)), JSON.parse(body), says);
      t.same(verifyWebhook(secret, headers, body), JSON.parse(body), `${says}, as text`);
    }
    for (const { says, secret, headers, body } of wrong)
      t.throws(() => verifyWebhook(secret, headers, Buffer.from(body)), says);
  }
});

const skip = spawnSync('python3', ['--version']).status === 0 ? false : 'there is no Python here';

t.test('the Python of the document takes every delivery and nothing else', { skip }, async (t) => {
  const [code = ''] = codeBlocks(page, 'python');
  const driver = `
import sys
for case in json.load(sys.stdin):
    try:
        verify_webhook(case["secret"], case["headers"], case["body"].encode())
        print("right")
    except ValueError:
        print("wrong")
`;
  for (const secret of [makeWebhookSecret(), ownSecret]) {
    const { right, wrong } = cases(secret);
    const run = spawnSync('python3', ['-c', code + driver], {
      input: JSON.stringify([...right, ...wrong]),
      encoding: 'utf8',
    });
    t.equal(run.status, 0, run.stderr);
    t.same(run.stdout.trim().split('\n'), [
      ...right.map(() => 'right'),
      ...wrong.map(() => 'wrong'),
    ]);
  }
});

t.test(
  'the receiver of the document takes each delivery once, and refuses a forged one',
  async (t) => {
    const secret = makeWebhookSecret();
    const receiver = await runReceiver(t, secret);
    const deliver = aCaller(t, { timeoutMs: 60_000 });
    const attempt = (nth: number, secrets: readonly string[]) => {
      const deliveryId = `whd_${nth}`;
      const body = Buffer.from(
        JSON.stringify({ id: deliveryId, type: 'message.opened', meta: {} }),
      );
      const atMs = systemClock.now();
      return deliver(anAttempt({ url: receiver.url, deliveryId, body, secrets, atMs }));
    };
    t.match(await attempt(1, [secret]), { status: 204, error: undefined });
    t.match(await attempt(1, [secret]), { status: 204, error: undefined }, 'an attempt too many');
    t.match(await attempt(2, [makeWebhookSecret()]), { status: 400, error: 'status' });
    t.match(await attempt(3, [secret, makeWebhookSecret()]), { status: 204 });
    const lines = await receiver.lines(2);
    t.equal(lines.length, 2, 'the first and the third, once each');
  },
);

t.test('every kind has its sentence and the example that is sent', async (t) => {
  const text = readFileSync(join(root, page), 'utf8');
  for (const { kind, payload } of webhookExamples) {
    const [, chapter = ''] = text.split(`\n### ${kind}\n`);
    t.ok(chapter.startsWith(`\n${webhookKindWords[kind]}\n`), `${kind}: ${webhookKindWords[kind]}`);
    const [, json = 'null'] = /```json\n([\s\S]*?)```/.exec(chapter) ?? [];
    t.same(JSON.parse(String(json)), payload, kind);
    const parsed = webhookPayloadSchema(kind).safeParse(payload);
    t.ok(parsed.success, `${kind}: ${parsed.error?.message ?? 'valid'}`);
  }
});

/** Runs `receiver.mjs` on a free port; ends with the test. */
async function runReceiver(t: Test, secret: string) {
  const folder = documentedScripts(t, page);
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  let output = '';
  let onOutput = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    onOutput();
  });
  const url = `http://127.0.0.1:${port}/engage`;
  for (;;) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) break;
  }
  return {
    url,
    /** Lines that it has printed, once there are so many. */
    async lines(count: number): Promise<string[]> {
      const found = () => output.split('\n').filter((line) => line !== '');
      while (found().length < count)
        await new Promise<void>((resolve) => {
          onOutput = resolve;
        });
      return found();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
