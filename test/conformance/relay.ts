// What every kind of relay must do. A kind's test hands in its subject: the answers of its service,
// and a second implementation of its events and their proof, written from the service's documents.
// Calls go to a scripted service on loopback, then to the sandbox's stand-in.

import fc from 'fast-check';
import type { Test } from 'tap';
import type { ProviderUrlName } from '../../actors/channels/channel-ids.ts';
import { mailMark } from '../../actors/channels/email/mail-mark.ts';
import { type Mail, writePieces } from '../../actors/channels/email/mime.ts';
import type { RelayAccount, RelayMail } from '../../actors/channels/email/relay-mail.ts';
import { createOutbound } from '../../actors/channels/outbound/outbound.ts';
import { attemptUuid } from '../../actors/channels/port/attempt-uuid.ts';
import type {
  OpenRelay,
  RelayConfig,
  RelayKindName,
} from '../../actors/channels/port/open-relay.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';
import type {
  ReadRelayCall,
  RelayCall,
  RelayEvent,
} from '../../actors/channels/port/relay-events.ts';
import { serviceFetch } from '../../actors/channels/relays/proof-fetch.ts';
import type { RelayService } from '../../actors/channels/relays/relay.ts';
import { providerConfig } from '../actors/channels/http-rig.ts';
import {
  acceptedMs,
  closedPort,
  fixedClock,
  type HttpBehavior,
  httpStandIn,
} from '../actors/channels/stand-ins.ts';
import { type Rig, withSandbox } from '../sandbox/with-sandbox.ts';

/** A call of the service to our webhook, or of ours to the service. */
export interface CallParts {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One thing that the service reports, and what it means. */
interface EventCase {
  /** The service's event about a mail with this mark. */
  readonly payload: (mark: string, atMs: number) => unknown;
  /** Members of the one event; `ignored`: it says nothing of a mail's fate. */
  readonly wanted: Partial<RelayEvent> | 'ignored';
}

export interface RelaySubject {
  readonly kind: RelayKindName;
  readonly service: RelayService;
  readonly urlName: ProviderUrlName;
  readonly config: RelayConfig;
  /** What no detail may contain. */
  readonly secrets: readonly string[];
  readonly accept: HttpBehavior;
  readonly outcomes: Readonly<
    Record<string, readonly [meet: HttpBehavior, outcome: Outcome['outcome'], reason: string]>
  >;
  /** An answer that repeats the secrets and the recipient. */
  readonly echo: HttpBehavior;
  /** The status alone says that a mail was taken. */
  readonly isTakenByStatus?: true;
  /** Of the first mail in a call. */
  readonly markIn: (call: CallParts) => string | undefined;
  /** Whom the call names, copies included. */
  readonly recipientsIn: (call: CallParts) => readonly string[];
  /** Its own field for tags: what stands there of a call, without our mark, and its limits. */
  readonly tags: {
    readonly in: (call: CallParts) => readonly string[];
    /** Of a campaign's mail. */
    readonly usual: readonly string[];
    readonly countMax: number;
    readonly charsMax: number;
  };
  readonly check: { readonly works: HttpBehavior; readonly refused: HttpBehavior };
  readonly events: {
    readonly cases: Readonly<Record<string, EventCase>>;
    /** A proven call with this payload, signed at this time. */
    readonly call: (payload: unknown, nowMs: number) => CallParts;
    /** Calls that prove nothing. `n` makes each of 200 another one. */
    readonly forgeries: Readonly<
      Record<string, (payload: unknown, nowMs: number, n: number) => CallParts>
    >;
    /** Beyond it a call is too old, in milliseconds. */
    readonly ageMsMax: number;
    readonly fetchText?: RelayCall['fetchText'];
    /** The proof is a secret that each call shows, or a token: it covers no byte of the body. */
    readonly provesNoBody?: true;
    /** Kinds that the service has no event for. */
    readonly unsaid?: readonly RelayEvent['kind'][];
    /** A configuration that proves nothing, because its key is missing. */
    readonly unproven: RelayConfig;
  };
}

const forgeriesOfEach = 200;
const sendId = 'ntf_00000000000000000000000001';
const deviceId = 'dev_00000000000000000000000001';
const sampleMark = mailMark({ sendId, deviceId });

/** A mail for one person; the given members replace its own. */
export function aRelayMail(over: Partial<Mail> = {}, n = 1): RelayMail {
  const ids = {
    sendId: `ntf_${String(n).padStart(26, '0')}`,
    deviceId: `dev_${String(n).padStart(26, '0')}`,
  };
  const mail: Mail = {
    fromName: 'Shop',
    fromAddress: 'shop@example.com',
    to: 'person@example.net',
    subject: 'Đơn hàng của bạn',
    dateMs: acceptedMs,
    messageId: `${ids.sendId}.${ids.deviceId}@example.com`,
    headers: [
      ['X-Engage-Send-Id', ids.sendId],
      ['X-Engage-Device-Id', ids.deviceId],
    ],
    text: 'It has shipped.',
    html: '<p>It has shipped.</p>',
    ...over,
  };
  return {
    mail,
    returnPath: 'bounce@example.com',
    pieces: () => writePieces(mail, undefined),
    mark: mailMark(ids),
    stream: 'transactional',
    uuid: attemptUuid(ids.sendId, ids.deviceId),
    tags: { app: 'shop' },
  };
}

interface AccountRig {
  readonly account: RelayAccount;
  readonly provider: Awaited<ReturnType<typeof httpStandIn>>;
}

/** An account that talks to a scripted service, until the test ends. */
export async function relayAccount(
  t: Test,
  { service, kind, urlName, accept }: RelaySubject,
  config: RelayConfig,
  { timeoutMs = 5_000, url }: { readonly timeoutMs?: number; readonly url?: string } = {},
): Promise<AccountRig> {
  const provider = await httpStandIn(accept);
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs });
  t.teardown(async () => {
    await outbound.close(0);
    await provider.close();
  });
  const open = await service.open();
  const relay: OpenRelay = {
    id: 'rel_00000000000000000000000001',
    kind,
    config,
    fingerprint: 'f',
  };
  const account = open(relay, {
    config: providerConfig({ [urlName]: url ?? provider.url }),
    outbound,
    clock: fixedClock(acceptedMs),
  });
  return { account, provider };
}

/** Runs the suite. */
export async function relayConformance(t: Test, subject: RelaySubject): Promise<void> {
  await sends(t, subject);
  await reports(t, subject);
}

async function sends(t: Test, subject: RelaySubject): Promise<void> {
  const { kind, config } = subject;
  const open = (t: Test, timeoutMs?: number) =>
    relayAccount(t, subject, config, timeoutMs === undefined ? {} : { timeoutMs });

  await t.test(`${kind}: a mail goes out once, with its mark and its id`, async (t) => {
    const { account, provider } = await open(t);
    const outcome = await account.send(aRelayMail());
    t.equal(outcome.outcome, 'accepted');
    t.ok(outcome.providerMessageId, 'an id to find it by');
    t.equal(provider.calls.length, 1);
    const [call] = provider.calls;
    t.equal(call && subject.markIn(call), sampleMark);
  });

  await t.test(`${kind}: a mail is tagged with its campaign and its stream`, async (t) => {
    const { account, provider } = await open(t);
    await account.send({ ...aRelayMail(), tags: { campaign: 'cmp_1', stream: 'marketing' } });
    await account.send({ ...aRelayMail(), tags: {} });
    const [tagged, plain] = provider.calls.map((call) => subject.tags.in(call));
    t.same(tagged, subject.tags.usual);
    t.same(plain, [], 'and with nothing more');
  });

  await t.test(`${kind}: no tag breaks a limit of the service, or hides our mark`, async (t) => {
    const { account, provider } = await open(t);
    const { countMax, charsMax } = subject.tags;
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('engage', '', 'a\r\nb', 'Straße', 'x'.repeat(1_500)),
    );
    const tags = fc.dictionary(word, word, { maxKeys: 60 });
    await fc.assert(
      fc.asyncProperty(tags, async (tags) => {
        const before = provider.calls.length;
        const { outcome } = await account.send({ ...aRelayMail(), tags });
        const call = provider.calls[before];
        const found = call === undefined ? [] : subject.tags.in(call);
        const isFit = (tag: string) => /^[\w-]+$/.test(tag) && tag.length <= charsMax;
        return (
          outcome === 'accepted' &&
          call !== undefined &&
          subject.markIn(call) === sampleMark &&
          found.length <= countMax &&
          found.every(isFit)
        );
      }),
      { numRuns: 30 },
    );
  });

  await t.test(`${kind}: copies go along`, async (t) => {
    const { account, provider } = await open(t);
    await account.send(aRelayMail({ cc: ['c@example.net'], bcc: ['b@example.net'] }));
    const [call] = provider.calls;
    const all = [...(call === undefined ? [] : subject.recipientsIn(call))].sort();
    t.same(all, ['b@example.net', 'c@example.net', 'person@example.net']);
  });

  for (const [behavior, [meet, outcome, reason]] of Object.entries(subject.outcomes)) {
    await t.test(`${kind}: ${behavior} is ${outcome} (${reason})`, async (t) => {
      const { account, provider } = await open(t);
      provider.meet(meet);
      t.match(await account.send(aRelayMail()), { outcome, reason });
    });
  }

  await t.test(`${kind}: what is recalled before it begins is not sent`, async (t) => {
    const { account, provider } = await open(t);
    let asked = 0;
    await account.send(aRelayMail(), () => {
      asked++;
      return false;
    });
    t.equal(asked, 1);
    t.equal(provider.calls.length, 0);
    t.match(await account.send(aRelayMail(), () => true), { outcome: 'accepted' });
  });

  await t.test(`${kind}: a refused connection is a retry`, async (t) => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const { account } = await relayAccount(t, subject, config, { url });
    t.match(await account.send(aRelayMail()), { outcome: 'retry', reason: 'connection_refused' });
  });

  await t.test(
    `${kind}: silence after the mail went out leaves open what became of it`,
    async (t) => {
      const { account, provider } = await open(t, 200);
      provider.meet('cut');
      t.match(await account.send(aRelayMail()), {
        outcome: 'ambiguous',
        reason: 'connection_lost',
      });
      provider.meet('hang');
      t.match(await account.send(aRelayMail()), { outcome: 'ambiguous', reason: 'timeout' });
      t.equal(provider.calls.length, 2, 'and is not repeated by the account');
    },
  );

  await answersOfServers(t, subject, open);

  await t.test(`${kind}: a detail holds no secret and no address`, async (t) => {
    const { account, provider } = await open(t);
    provider.meet(subject.echo);
    const outcome = await account.send(aRelayMail());
    const detail = 'detail' in outcome ? (outcome.detail ?? '') : '';
    t.ok(detail.length > 0 && detail.length <= 500, 'there is a detail to look at');
    for (const secret of [...subject.secrets, 'person@example.net'])
      t.notOk(detail.includes(secret), `not ${secret.slice(0, 6)}…`);
  });

  await t.test(`${kind}: a check is a real call that sends nothing`, async (t) => {
    const { account, provider } = await open(t);
    provider.meet(subject.check.works);
    t.same(await account.check(), { checked: true, ok: true });
    provider.meet(subject.check.refused);
    const refused = await account.check();
    t.match(refused, { checked: true, ok: false });
    for (const secret of subject.secrets) t.notOk(JSON.stringify(refused).includes(secret));
    for (const call of provider.calls) t.equal(subject.markIn(call), undefined);
    const down = await relayAccount(t, subject, config, {
      url: `http://127.0.0.1:${await closedPort()}`,
    });
    t.match(await down.account.check(), { ok: false, reason: 'connection_refused' });
  });
}

/** Answers that are not the service's own words: of a proxy, cut, without an end, elsewhere. */
async function answersOfServers(
  t: Test,
  { kind, accept, isTakenByStatus }: RelaySubject,
  open: (t: Test, timeoutMs?: number) => Promise<AccountRig>,
): Promise<void> {
  await t.test(`${kind}: a status that leaves open whether the mail was taken`, async (t) => {
    const { account, provider } = await open(t);
    const body = '<html>Bad gateway</html>';
    const outcomeOf = async (status: number, headers = {}) => {
      provider.meet({ status, headers, body });
      return account.send(aRelayMail());
    };
    for (const status of [500, 502, 504, 520, 522, 524])
      t.match(await outcomeOf(status), { outcome: 'ambiguous', reason: `http_${status}` });
    for (const status of [501, 503, 505, 521])
      t.match(await outcomeOf(status), { outcome: 'retry' }, `nobody behind ${status} saw it`);
    for (const status of [201, 203, 206].filter((one) => one !== statusOf(accept)))
      t.match(await outcomeOf(status), { outcome: 'ambiguous', reason: 'answer_unreadable' });
  });

  await t.test(`${kind}: a redirect is not followed`, async (t) => {
    const { account, provider } = await open(t);
    for (const status of [301, 302, 307, 308]) {
      provider.meet({ status, headers: { location: `${provider.url}/elsewhere` } });
      t.match(await account.send(aRelayMail()), { outcome: 'config', reason: `http_${status}` });
    }
    t.equal(provider.calls.length, 4);
  });

  await t.test(
    `${kind}: a pause is as long as Retry-After says, in both of its forms`,
    async (t) => {
      const { account, provider } = await open(t);
      const forms = { 90: '90', 7: new Date(acceptedMs + 7_000).toUTCString() };
      for (const [seconds, text] of Object.entries(forms)) {
        provider.meet({ status: 429, headers: { 'retry-after': text }, body: 'slow down' });
        const retryAfterMs = Number(seconds) * 1_000;
        t.match(await account.send(aRelayMail()), { outcome: 'rate', retryAfterMs });
      }
      for (const text of ['soon', '-1', '0', new Date(acceptedMs - 60_000).toUTCString()]) {
        provider.meet({ status: 429, headers: { 'retry-after': text } });
        const outcome = await account.send(aRelayMail());
        t.match(outcome, { outcome: 'rate' });
        t.notOk('retryAfterMs' in outcome, `${text} names no wait`);
      }
    },
  );

  const unread = isTakenByStatus === true ? 'accepted' : 'ambiguous';
  await t.test(`${kind}: a good status whose body is cut, slow or huge is ${unread}`, async (t) => {
    const { account, provider } = await open(t);
    const status = statusOf(accept);
    provider.meet((_call, response) => {
      response.writeHead(status, { 'content-length': '1000' }).write('{"id":"x');
      setImmediate(() => response.destroy());
    });
    t.match(await account.send(aRelayMail()), { outcome: unread });
    provider.meet({ status, body: `[${' '.repeat(3_000_000)}]` });
    t.match(await account.send(aRelayMail()), { outcome: unread });
    // Long enough for the status on a busy machine.
    const hurried = await open(t, 1_500);
    hurried.provider.meet((_call, response) => void response.writeHead(status).write('['));
    t.match(await hurried.account.send(aRelayMail()), { outcome: unread });
  });
}

function statusOf(behavior: HttpBehavior): number {
  return typeof behavior === 'object' && 'status' in behavior ? behavior.status : 200;
}

/** Reads a call as the webhook's front does. */
export async function readCall(
  { service, events, config }: RelaySubject,
  { headers, body }: CallParts,
  nowMs = acceptedMs,
  own: RelayConfig = config,
): Promise<ReadRelayCall> {
  const read = await service.readEvents?.();
  if (read === undefined) throw new Error('it reports nothing');
  const lower: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers))
    lower[name.toLowerCase()] = Array.isArray(value) ? value[0] : value;
  const fetchText = events.fetchText ?? (() => Promise.resolve(undefined));
  return read({ body, headers: lower, query: '', nowMs, fetchText }, own);
}

async function reports(t: Test, subject: RelaySubject): Promise<void> {
  const { kind, events } = subject;
  const payloadOf = (name: string) =>
    events.cases[name]?.payload(sampleMark, acceptedMs - 1_000) ?? {};

  for (const [name, { wanted }] of Object.entries(events.cases)) {
    const says = wanted === 'ignored' ? 'says nothing' : `is ${wanted.kind}`;
    await t.test(`${kind}: ${name} ${says}`, async (t) => {
      const read = await readCall(subject, events.call(payloadOf(name), acceptedMs));
      if (wanted === 'ignored') {
        t.match(read, { state: 'read', events: [] });
        return;
      }
      t.equal(read.state, 'read');
      if (read.state !== 'read') return;
      t.equal(read.events.length, 1);
      t.match(read.events[0], { sendId, deviceId, ...wanted });
      t.ok((read.events[0]?.atMs ?? 0) <= acceptedMs, 'nothing happens after now');
    });
  }

  const [first = ''] = Object.keys(events.cases);
  const payload = payloadOf(first);

  await t.test(`${kind}: a mail that is not ours is ignored`, async (t) => {
    for (const mark of ['', 'newsletter-7', `${sampleMark}-x`, 'ntf_1-dev_1']) {
      const other = events.cases[first]?.payload(mark, acceptedMs);
      const read = await readCall(subject, events.call(other, acceptedMs));
      t.match(read, { state: 'read', events: [], ignored: 1 });
    }
  });

  for (const [name, forge] of Object.entries(events.forgeries)) {
    await t.test(`${kind}: ${forgeriesOfEach} calls with ${name} are refused`, async (t) => {
      let taken = 0;
      for (let n = 0; n < forgeriesOfEach; n++) {
        const read = await readCall(subject, forge(payload, acceptedMs, n));
        // Of those that cannot be judged now, none is taken either.
        if (read.state === 'read' || read.state === 'confirmed') taken++;
      }
      t.equal(taken, 0);
    });
  }

  if (events.provesNoBody !== true) await altersNothing(t, subject, payload);

  await t.test(`${kind}: a repeated call means the same, and an old one is refused`, async (t) => {
    const call = events.call(payload, acceptedMs);
    const read = await readCall(subject, call);
    t.same(await readCall(subject, call), read);
    for (let n = 0; n < forgeriesOfEach; n++) {
      const lateMs = acceptedMs + events.ageMsMax + 1_000 + n * 3_600_000;
      t.same(await readCall(subject, call, lateMs), { state: 'refused', reason: 'too_old' });
    }
    const early = await readCall(subject, call, acceptedMs - events.ageMsMax - 2_000);
    t.same(early, { state: 'refused', reason: 'too_old' }, 'also one from the future');
  });

  await t.test(`${kind}: without a key nothing is proven`, async (t) => {
    const call = events.call(payload, acceptedMs);
    const read = await readCall(subject, call, acceptedMs, events.unproven);
    t.same(read, { state: 'refused', reason: 'signature' });
  });

  await t.test(`${kind}: what is no call of the service is refused, never a fault`, async (t) => {
    const { headers } = events.call(payload, acceptedMs);
    for (const text of ['', '[]', '{}', 'null', '0', '"x"', '{"Type":"Notification"}', '\xff']) {
      const read = await readCall(subject, { headers, body: Buffer.from(text, 'latin1') });
      t.equal(read.state, 'refused', text);
    }
  });
}

function altersNothing(t: Test, subject: RelaySubject, payload: unknown) {
  const { kind, events } = subject;
  return t.test(`${kind}: ${forgeriesOfEach} altered bytes change no meaning`, async (t) => {
    const call = events.call(payload, acceptedMs);
    const whole = await readCall(subject, call);
    t.equal(whole.state, 'read', 'the call itself is proven');
    for (let n = 0; n < forgeriesOfEach; n++) {
      const body = Buffer.from(call.body);
      const at = Math.floor((n * body.length) / forgeriesOfEach);
      body[at] = (body[at] ?? 0) ^ (1 << (n % 5));
      const read = await readCall(subject, { ...call, body });
      // Bytes that no proof covers may differ, such as blanks; then the meaning is the same.
      if (read.state === 'read') t.same(read, whole, `byte ${at}`);
      else t.not(read.state, 'confirmed', `byte ${at}`);
    }
  });
}

/** Names that the stand-in knows, and the last fact of each. */
const fates: readonly (readonly [name: string, kinds: readonly RelayEvent['kind'][]])[] = [
  ['person', ['accepted', 'delivered']],
  ['nouser', ['accepted', 'hard_bounce']],
  ['latefull', ['accepted', 'soft_bounce']],
  ['latedelay', ['accepted', 'deferred', 'delivered']],
  ['complain', ['accepted', 'delivered', 'complained']],
  ['leaver', ['accepted', 'delivered', 'unsubscribed']],
  ['suppressed', ['accepted', 'dropped']],
  ['policy', ['accepted', 'refused']],
  ['reader', ['accepted', 'delivered', 'opened', 'clicked']],
];

/** The sandbox's stand-in at both ends: it takes our mails, and we read its reports. */
export async function relayStandInConformance(
  t: Test,
  { service, kind, urlName, events: { unsaid = [] } }: RelaySubject,
  config: (rig: Rig, hookUrl: string) => Promise<RelayConfig>,
): Promise<void> {
  await t.test(`${kind}: the stand-in shows the mail, and its reports are read`, async (t) => {
    const rig = await withSandbox(t);
    const outbound = createOutbound({ allowPrivateNetworks: true });
    t.teardown(() => outbound.close(0));
    const urls = { [urlName]: rig.providerUrls[urlName] ?? '' };
    const fetchText = serviceFetch(outbound, urls);
    const heard: ReadRelayCall[] = [];
    let own: RelayConfig = {};
    const read = await service.readEvents?.();
    const front = await httpStandIn((call, response) => {
      const headers: Record<string, string | undefined> = {};
      for (const [name, value] of Object.entries(call.headers)) headers[name] = String(value);
      const parts = { body: call.body, headers, query: '', nowMs: Date.now(), fetchText };
      void read?.(parts, own).then((answer) => {
        heard.push(answer);
        response.writeHead(answer.state === 'refused' ? 403 : 200).end();
      });
    });
    t.teardown(() => front.close());
    await rig.call('POST', `/control/${kind}/callbacks`, { delayMs: 0 });
    const planned = await rig.call('POST', `/control/${kind}/webhook`, { url: front.url });
    own = { ...(await config(rig, front.url)), ...planned.json.config };
    // A second time: some services ask first whether the address is ours.
    await rig.call('POST', `/control/${kind}/webhook`, { url: front.url });

    const open = await service.open();
    const relay = { id: 'rel_1', kind, config: own, fingerprint: 'f' };
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const account = open(relay, { config: providerConfig(urls, 'sandbox'), outbound, clock });
    t.same(await account.check(), { checked: true, ok: true });
    const mails = fates.map(([name], n) => aRelayMail({ to: `${name}@example.net` }, n + 1));
    const outcomes = await Promise.all(mails.map((mail) => account.send(mail)));
    t.ok(outcomes.every(({ outcome }) => outcome === 'accepted'));

    const saidOf = (kinds: readonly RelayEvent['kind'][]) =>
      kinds.filter((one) => !unsaid.includes(one));
    const wantedCount = fates.reduce((sum, [, kinds]) => sum + saidOf(kinds).length, 0);
    const events = () => heard.flatMap((one) => (one.state === 'read' ? one.events : []));
    while (events().length < wantedCount) await new Promise((resolve) => setImmediate(resolve));
    for (const [n, [name, kinds]] of fates.entries()) {
      const of = `ntf_${String(n + 1).padStart(26, '0')}`;
      const seen = events().filter((event) => event.sendId === of);
      t.same(new Set(seen.map((event) => event.kind)), new Set(saidOf(kinds)), name);
      t.ok(
        seen.every(({ to }) => to === `${name}@example.net`),
        'with its recipient',
      );
    }
    const { told } = (await rig.call('GET', `/control/${kind}/webhook`)).json;
    t.equal(told.delivered, events().filter((event) => event.kind === 'delivered').length);

    const shown = await rig.messages(`?channel=${kind}`);
    t.equal(shown.length, fates.length, 'a mail for each person in the inbox');
    t.match(shown[0], { title: 'Đơn hàng của bạn', look: 'email', outcome: 'accepted' });
    t.match(shown[0].sender, /shop@example\.com/);

    heard.length = 0;
    await rig.call('POST', `/control/${kind}/webhook`, { url: front.url, order: 'forged' });
    const handshakes = heard.length;
    await account.send(aRelayMail({}, 90));
    const forged = saidOf(['accepted', 'delivered']).length;
    while (heard.length < handshakes + forged)
      await new Promise((resolve) => setImmediate(resolve));
    t.ok(
      heard.slice(handshakes).every(({ state }) => state === 'refused'),
      'forged ones are refused',
    );
    const faults = [
      ['throttle', { outcome: 'rate' }],
      ['busy', { outcome: 'retry' }],
      ['toobig', { outcome: 'permanent' }],
      ['revoked', { outcome: 'config' }],
      ['drop', {}],
    ] as const;
    for (const [name, wanted] of faults)
      t.match(await account.send(aRelayMail({ to: `${name}@example.net` }, 91)), wanted, name);
  });
}
