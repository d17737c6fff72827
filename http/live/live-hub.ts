// All live streams of this server: which feeds they share, how many there may be, and which end
// because their key or session did.

import { fault } from '../../actors/faults.ts';
import type { AccountsProtocol, KeyGrant } from '../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Log } from '../../engine/observe/log.ts';
import { type Authenticator, unauthorized } from '../call/admission/authenticate.ts';
import { Call } from '../call/call.ts';
import type { CallEdge, LiveAsk } from '../call/call-edge.ts';
import { refuseScopes } from '../call/inner-call.ts';
import { LiveFeed, type ReadTopic } from './feed.ts';
import { LiveStream } from './live-stream.ts';
import { readerOf } from './read-topic.ts';
import { parseTopics } from './topic.ts';

/** At a time, apart from exports. */
const streamsOfOneMax = 8;
const streamsOfOrgMax = 64;
/** Of all clients of one agency. */
const streamsOfClientsMax = 512;
const streamsMax = 4_096;

type Live = LiveStream['pieces'];

interface Opened {
  readonly keyId: string;
  readonly org: number;
  readonly agency: number | undefined;
  stop(): void;
}

export class LiveHub {
  readonly #log: Log;
  readonly #authenticator: Pick<Authenticator, 'whenDropped' | 'isDropped'>;
  readonly #feeds = new Map<string, LiveFeed>();
  readonly #opened = new Set<Opened>();

  constructor(log: Log, authenticator: Pick<Authenticator, 'whenDropped' | 'isDropped'>) {
    this.#log = log;
    this.#authenticator = authenticator;
    authenticator.whenDropped((keyIds) => this.#drop(keyIds));
  }

  /**
   * Throws the refusals of the topics' own routes, 429 without room, and 401 when the key or the
   * session ends meanwhile.
   */
  async open(edge: CallEdge, ask: LiveAsk): Promise<Live> {
    const { keyId = '', org, agency } = ask.grant;
    this.#refuseBeyond(keyId, org, agency);
    let hasEnded = this.#authenticator.isDropped(keyId);
    const opened: Opened = { keyId, org, agency, stop: () => void (hasEnded = true) };
    this.#opened.add(opened);
    const onOver = () => void this.#opened.delete(opened);
    try {
      const followed = await this.#followed(edge, ask);
      if (hasEnded) throw new FaultError(unauthorized());
      const { clock } = edge;
      const stream = new LiveStream({
        ...{ clock, followed, onOver },
        untilMs: clock.monotonic() + ask.lastsMs,
        afterSeq: ask.afterSeq,
        isServing: () => edge.ready(),
      });
      opened.stop = () => stream.stop();
      return stream.pieces;
    } catch (problem) {
      onOver();
      throw problem;
    }
  }

  async #followed(edge: CallEdge, { grant, appId, topics }: LiveAsk) {
    const parsed = parseTopics(topics);
    const call = callOf(edge, grant, appId);
    await call.to<AccountsProtocol>(call.app(appId)).ask('app.read', {});
    const readers = parsed.map((topic) => ({ topic, reader: readerOf(call, appId, topic) }));
    refuseScopes(
      call,
      readers.flatMap(({ reader }) => reader.routes),
    );
    // Before the answer begins: what is not there is a 404.
    await Promise.all(readers.map(({ reader }) => reader.check?.()));
    const pay = () => edge.admission.charge(grant, 'standard', 1).refusal === undefined;
    return readers.map(({ topic, reader }) => ({
      topic: topic.text,
      event: topic.kind,
      feed: this.#feedOf(`${grant.org} ${appId} ${topic.text}`, reader.read, pay),
    }));
  }

  /** Keys and sessions that ended or changed: their readers have to come back. */
  #drop(keyIds: readonly string[]): void {
    const dropped = new Set(keyIds);
    for (const opened of [...this.#opened]) if (dropped.has(opened.keyId)) opened.stop();
  }

  #feedOf(name: string, read: ReadTopic, pay: () => boolean): LiveFeed {
    const known = this.#feeds.get(name);
    if (known !== undefined && known.gone === undefined) return known;
    const feed = new LiveFeed(read, pay, this.#log, () => {
      if (this.#feeds.get(name) === feed) this.#feeds.delete(name);
    });
    this.#feeds.set(name, feed);
    return feed;
  }

  #refuseBeyond(keyId: string, org: number, agency: number | undefined): void {
    const all = [...this.#opened];
    const own = all.filter((one) => one.keyId === keyId).length;
    const ofOrg = all.filter((one) => one.org === org).length;
    const refuse = (words: string) =>
      new FaultError(fault('rate_limited', words, { retryAfterSeconds: 5 }));
    if (own >= streamsOfOneMax)
      throw refuse(`a key or a session may have at most ${streamsOfOneMax} live streams at once`);
    if (ofOrg >= streamsOfOrgMax)
      throw refuse(`an org may have at most ${streamsOfOrgMax} live streams at once`);
    const ofClients = all.filter((one) => agency !== undefined && one.agency === agency).length;
    if (ofClients >= streamsOfClientsMax)
      throw refuse(
        `the client workspaces of an agency may have at most ${streamsOfClientsMax} live streams at once`,
      );
    if (all.length >= streamsMax)
      throw refuse(`the server has ${streamsMax} live streams already; retry later`);
  }
}

/** For reads inside the server: no request's own. */
function callOf(edge: CallEdge, grant: KeyGrant, appId: string): Call {
  return new Call({
    edge,
    grant,
    params: { appId },
    query: undefined,
    body: undefined,
    sent: undefined,
    bytes: new Uint8Array(),
    requestId: 'live',
    target: 'live',
    lane: 'express',
    header: () => undefined,
  });
}
