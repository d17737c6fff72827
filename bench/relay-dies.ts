// A mail service dies in the middle of receipts and a newsletter, and another one takes over: the
// longest wait of a receipt, who got nothing, and who got a mail twice. A call whose connection
// broke may have been taken: its mails go to no other service, so they wait for the dead one and
// may come twice. It is back when no more mails arrive. Engage is asked about each mail that is
// missing: one whose send has not ended as `unknown_outcome` is lost.
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
const receiptIds = new Map<string, string>();

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
  const accepting = sendReceipts(async (person) => {
    const receipt = { channels: ['email'], title: 'Receipt', body: '<p>Thank you.</p>' };
    const to = { externalUserId: `user-${person}` };
    return String((await must('POST', `${app}/notifications`, { ...to, ...receipt }))['id']);
  });
  await until(() => first.taken >= (newsletters + receipts) / 3);
  const inFlight = first.die();
  const diedMs = performance.now();
  await accepting;
  await untilQuiet();
  const quietMs = performance.now();
  const all = [...allMails()];
  const maybe = new Set(inFlight.map(({ to, subject }) => `${subject} ${to}`));
  const waiting = new Set(all.filter((mail) => !taken.has(mail)));
  const whileDead = await endingsOf(must, app, id, waiting);
  // What it may have taken goes again to it alone.
  await first.revive();
  await until(() => taken.size === all.length);
  const doneMs = performance.now();
  await pause(quietAfterMs);

  const missing = all.filter((mail) => !taken.has(mail));
  const endings = await endingsOf(must, app, id, new Set(missing));
  const waitOf = (mail: string) =>
    (taken.get(mail)?.[0] ?? doneMs) - (acceptedMs.get(mail) ?? startMs);
  const waits = [...acceptedMs.keys()].filter((mail) => !waiting.has(mail)).map(waitOf);
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
    waitedForFirst: waiting.size,
    receiptsThatWaitedForFirst: [...waiting].filter((mail) => acceptedMs.has(mail)).length,
    endedWhileItWasDead: waiting.size - (whileDead['pending'] ?? 0),
    missing: missing.length,
    endingsOfMissing: endings,
    lost: missing.length - (endings['unknown_outcome'] ?? 0),
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

async function sendReceipts(send: (person: number) => Promise<string>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < receipts) {
      const person = next++;
      const mail = `Receipt ${addressOf(person)}`;
      receiptIds.set(mail, await send(person));
      acceptedMs.set(mail, performance.now());
      await pause(restMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** How many of these mails have which status, or which reason of a failed receipt. */
async function endingsOf(
  must: Call,
  app: string,
  campaignId: string,
  mails: ReadonlySet<string>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const count = (ending: string) => {
    counts[ending] = (counts[ending] ?? 0) + 1;
  };
  for (const mail of mails) {
    const id = receiptIds.get(mail);
    if (id === undefined) continue;
    const send = await must('GET', `${app}/notifications/${id}?content=false`, undefined);
    const [one] = send['outcomes'] as readonly { readonly reason?: string }[];
    count(send['status'] === 'failed' ? `${one?.reason}` : `${send['status']}`);
  }
  if ([...mails].every((mail) => receiptIds.has(mail))) return counts;
  const people = `${app}/campaigns/${campaignId}/recipients?limit=100`;
  for (let cursor = ''; ; ) {
    const page = await must('GET', people + cursor, undefined);
    for (const { externalUserId, outcome } of page['items'] as readonly Recipient[])
      if (mails.has(`News ${addressOf(Number(externalUserId.slice('user-'.length)))}`))
        count(outcome);
    if (page['nextCursor'] === null) return counts;
    cursor = `&cursor=${page['nextCursor']}`;
  }
}

interface Recipient {
  readonly externalUserId: string;
  readonly outcome: string;
}

async function untilQuiet(): Promise<void> {
  for (let before = -1; before !== taken.size; await pause(quietAfterMs)) before = taken.size;
}

/** Or until patience ends: the figures then say what is missing. */
async function until(holds: () => boolean): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!holds() && performance.now() < endMs) await pause(50);
}
