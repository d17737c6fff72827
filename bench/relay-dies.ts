// A mail service dies in the middle of receipts and a newsletter, and another one takes over: the
// longest wait of a receipt, who got nothing, and who got a mail twice. A call whose connection
// broke may have been taken: its mails go to no other service, so they may be missing or come
// twice. The service is back when no more mails arrive.
// Run: npm run build && npx tsx bench/relay-dies.ts [--receipts=10000] [--newsletters=100000]

import { setTimeout as pause } from 'node:timers/promises';
import { engage } from './support/engage.ts';
import { startBrevo, startPostmark } from './support/mail-services.ts';
import { numberOption, printSummary, quantile } from './support/options.ts';

const receipts = numberOption('receipts', 10_000);
const newsletters = numberOption('newsletters', 100_000);
/** Calls for receipts at a time, each lane with a rest between two. */
const lanes = 8;
const restMs = numberOption('rest', 20);
const rowsPerCall = 1_000;
const answerMs = 20;
const domains = 50;
const patienceMs = 240_000;
/** As long as no mail arrives, nothing more is expected. */
const quietAfterMs = 10_000;

/** When each mail reached a service, by `<subject> <recipient>`. */
const taken = new Map<string, number[]>();
const acceptedMs = new Map<string, number>();

const take = ({ to, subject }: { readonly to: string; readonly subject: string }, atMs: number) => {
  const mail = `${subject} ${to}`;
  const times = taken.get(mail);
  if (times === undefined) taken.set(mail, [atMs]);
  else times.push(atMs);
};
const first = await startPostmark(take, answerMs);
const second = await startBrevo(take, answerMs);
const server = await engage({
  ENGAGE_POSTMARK_URL: first.url,
  ENGAGE_BREVO_URL: second.url,
  ENGAGE_EMAIL_DOMAINS: '*',
  ENGAGE_SHARDS: '1',
  ENGAGE_DISPATCHERS: '1',
});
try {
  await run();
} finally {
  await server.stop();
  first.close();
  second.close();
}

async function run(): Promise<void> {
  const { key, apps } = await server.tenant();
  const [appId] = apps;
  const app = `/v1/apps/${appId}`;
  const must: Call = async (method, path, body) => {
    const answer = await server.call(method, path, body, key);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body as Readonly<Record<string, unknown>>;
  };
  const id = await prepared(must, app, appId);

  const startMs = performance.now();
  await must('POST', `${app}/campaigns/${id}/send`, {});
  const accepting = sendReceipts((person) =>
    must('POST', `${app}/notifications`, {
      externalUserId: `user-${person}`,
      channels: ['email'],
      title: 'Receipt',
      body: '<p>Thank you.</p>',
    }),
  );
  await until(() => first.taken >= (newsletters + receipts) / 3);
  const inFlight = first.die();
  const diedMs = performance.now();
  await accepting;
  await untilQuiet();
  const quietMs = performance.now();
  const all = [...allMails()];
  const waiting = all.filter((mail) => !taken.has(mail)).length;
  // What it may have taken goes again to it alone.
  await first.revive();
  await until(() => taken.size === all.length);
  const doneMs = performance.now();
  await pause(quietAfterMs);

  const missing = all.filter((mail) => !taken.has(mail));
  // Newsletters whose call had no answer end as failed, reason `unknown_outcome`.
  const stats = await must('GET', `${app}/campaigns/${id}/stats`, undefined);
  const unanswered = Number(stats['failed']);
  const waits = [...acceptedMs].map(([mail, atMs]) => (taken.get(mail)?.[0] ?? doneMs) - atMs);
  const maybe = new Set(inFlight.map(({ to, subject }) => `${subject} ${to}`));
  const twice = all.filter((mail) => (taken.get(mail)?.length ?? 0) > 1);
  printSummary('relay-dies', {
    receipts,
    newsletters,
    secondsUntilDead: (diedMs - startMs) / 1000,
    secondsUntilQuiet: (quietMs - startMs) / 1000,
    secondsInAll: (doneMs - startMs) / 1000,
    takenByFirst: first.taken,
    takenBySecond: second.taken,
    longestWaitMs: quantile(waits, 1 - 1e-9),
    p99WaitMs: quantile(waits, 0.99),
    readWithoutAnswer: maybe.size,
    waitedForFirst: waiting,
    missing: missing.length,
    missingReceipts: missing.filter((mail) => mail.startsWith('Receipt')).length,
    endedAsUnanswered: unanswered,
    lost: Math.max(0, missing.length - unanswered),
    twiceOfThose: twice.filter((mail) => maybe.has(mail)).length,
    twiceOfOthers: twice.filter((mail) => !maybe.has(mail)).length,
  });
}

type Call = (
  method: string,
  path: string,
  body: unknown,
) => Promise<Readonly<Record<string, unknown>>>;

/** Both services, the people and the newsletter; the id of its campaign. */
async function prepared(must: Call, app: string, appId: string | undefined): Promise<string> {
  const configs = {
    postmark: { serverToken: '00000000-0000-4000-8000-000000000000' },
    brevo: { apiKey: 'xkeysib-of-the-bench-0000000000' },
  };
  for (const [kind, config] of Object.entries(configs))
    await must('POST', `${app}/relays`, {
      name: kind,
      kind,
      order: kind === 'postmark' ? 1 : 2,
      config,
    });
  for (let from = 0; from < newsletters; from += rowsPerCall) {
    const length = Math.min(rowsPerCall, newsletters - from);
    const rows = Array.from({ length }, (_, i) => personOf(from + i));
    await must('POST', '/v1/import/subscribers', { appId, rows });
  }
  const message = { title: 'News', body: '<p>Hello, there is news.</p>' };
  const { id: messageId } = await must('POST', `${app}/messages`, message);
  const made = await must('POST', `${app}/campaigns`, { messageId, channels: ['email'] });
  return String(made['id']);
}

function personOf(person: number): object {
  const devices = [{ channel: 'email', endpoint: addressOf(person) }];
  return { externalUserId: `user-${person}`, devices };
}

/** Of many domains, because what one domain refuses says nothing about a service. */
function addressOf(person: number): string {
  return `user-${person}@mail${person % domains}.example`;
}

function* allMails(): Iterable<string> {
  for (let person = 0; person < newsletters; person++) yield `News ${addressOf(person)}`;
  for (let person = 0; person < receipts; person++) yield `Receipt ${addressOf(person)}`;
}

async function sendReceipts(send: (person: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < receipts) {
      const person = next++;
      await send(person);
      acceptedMs.set(`Receipt ${addressOf(person)}`, performance.now());
      await pause(restMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function untilQuiet(): Promise<void> {
  for (let before = -1; before !== taken.size; await pause(quietAfterMs)) before = taken.size;
}

/** Or until patience ends: the figures then say what is missing. */
async function until(holds: () => boolean): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!holds() && performance.now() < endMs) await pause(50);
}
