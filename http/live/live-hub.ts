// All live streams of this server: which feeds they share, how many there may be, and which end
// because their key or session did.

import { fault } from '../../actors/faults.ts';
import type { AccountsProtocol, KeyGrant } from '../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { Authenticator } from '../authenticate.ts';
import { Call } from '../call.ts';
import type { CallEdge, LiveAsk } from '../call-edge.ts';
import { LiveFeed, type ReadTopic } from './feed.ts';
import { LiveStream } from './live-stream.ts';
import { readerOf } from './read-topic.ts';
import { parseTopics } from './topic.ts';

/** At a time, apart from exports. */
const streamsOfOneMax = 8;
const streamsOfOrgMax = 64;
const streamsMax = 4_096;

type Live = LiveStream['pieces'];

interface Opened {
  readonly stream: LiveStream;
  readonly keyId: string;
  readonly org: number;
}

export class LiveHub {
  readonly #log: Log;
  readonly #feeds = new Map<string, LiveFeed>();
  readonly #opened = new Set<Opened>();

  constructor(log: Log, authenticator: Pick<Authenticator, 'whenDropped'>) {
    this.#log = log;
    authenticator.whenDropped((keyIds) => this.#drop(keyIds));
  }

  /** Throws the refusals of the topics' own routes, and 429 without room. */
  async open(edge: CallEdge, { grant, appId, lastsMs, afterSeq, ...ask }: LiveAsk): Promise<Live> {
    const { keyId = '', org } = grant;
    this.#refuseBeyond(keyId, org);
    const topics = parseTopics(ask.topics);
    const call = callOf(edge, grant, appId);
    await call.to<AccountsProtocol>(call.app(appId)).ask('app.read', {});
    const readers = topics.map((topic) => ({ topic, read: readerOf(call, appId, topic) }));
    // Before the answer begins: what is not there is a 404.
    for (const { topic } of readers) if ('id' in topic) await readerOf(call, appId, topic)();
    this.#refuseBeyond(keyId, org);
    const followed = readers.map(({ topic, read }) => ({
      topic: topic.text,
      event: topic.kind,
      feed: this.#feedOf(`${org} ${appId} ${topic.text}`, read),
    }));
    const opened: Opened = {
      stream: new LiveStream({
        clock: edge.clock,
        followed,
        untilMs: edge.clock.monotonic() + lastsMs,
        afterSeq,
        isServing: () => edge.ready(),
        onOver: () => this.#opened.delete(opened),
      }),
      keyId,
      org,
    };
    this.#opened.add(opened);
    return opened.stream.pieces;
  }

  /** Keys and sessions that ended or changed: their readers have to come back. */
  #drop(keyIds: readonly string[]): void {
    const dropped = new Set(keyIds);
    for (const { keyId, stream } of [...this.#opened]) if (dropped.has(keyId)) stream.stop();
  }

  #feedOf(name: string, read: ReadTopic): LiveFeed {
    const known = this.#feeds.get(name);
    if (known !== undefined && known.gone === undefined) return known;
    const feed = new LiveFeed(read, this.#log, () => {
      if (this.#feeds.get(name) === feed) this.#feeds.delete(name);
    });
    this.#feeds.set(name, feed);
    return feed;
  }

  #refuseBeyond(keyId: string, org: number): void {
    const all = [...this.#opened];
    const own = all.filter((one) => one.keyId === keyId).length;
    const ofOrg = all.filter((one) => one.org === org).length;
    const refuse = (words: string) =>
      new FaultError(fault('rate_limited', words, { retryAfterSeconds: 5 }));
    if (own >= streamsOfOneMax)
      throw refuse(`a key or a session may have at most ${streamsOfOneMax} live streams at once`);
    if (ofOrg >= streamsOfOrgMax)
      throw refuse(`an org may have at most ${streamsOfOrgMax} live streams at once`);
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
