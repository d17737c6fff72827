// All live streams of this server: which feeds they share, how many there may be, and which end
// because their key or session did.

import { fault } from '../../actors/faults.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { Call } from '../call.ts';
import type { Pieces } from '../route.ts';
import { Feed, type ReadTopic } from './feed.ts';
import { LiveStream } from './live-stream.ts';
import { readerOf } from './read-topic.ts';
import type { Topic } from './topic.ts';

/** At a time, apart from exports. */
const streamsOfOneMax = 8;
const streamsOfOrgMax = 64;
const streamsMax = 4_096;

interface Opened {
  readonly stream: LiveStream;
  readonly keyId: string;
  readonly org: number;
}

export class LiveHub {
  readonly #log: Log;
  readonly #feeds = new Map<string, Feed>();
  readonly #opened = new Set<Opened>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Throws the refusals of the topics' own routes, and 429 without room. */
  async open(
    call: Call,
    topics: readonly Topic[],
    { lastsMs, afterSeq }: { readonly lastsMs: Millis; readonly afterSeq: number | undefined },
  ): Promise<Pieces> {
    const { edge, grant } = call;
    const keyId = grant?.keyId ?? '';
    this.#refuseBeyond(keyId, call.org);
    const appId = call.param('appId');
    await call.to<AccountsProtocol>(call.app(appId)).ask('app.read', {});
    const readers = topics.map((topic) => ({ topic, read: readerOf(call, appId, topic) }));
    // Before the answer begins: what is not there is a 404.
    for (const { topic } of readers) if ('id' in topic) await readerOf(call, appId, topic)();
    this.#refuseBeyond(keyId, call.org);
    const followed = readers.map(({ topic, read }) => ({
      topic: topic.text,
      event: topic.kind,
      feed: this.#feedOf(`${call.org} ${appId} ${topic.text}`, read),
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
      org: call.org,
    };
    this.#opened.add(opened);
    return opened.stream.pieces;
  }

  /** Keys and sessions that ended or changed: their readers have to come back. */
  drop(keyIds: readonly string[]): void {
    const dropped = new Set(keyIds);
    for (const { keyId, stream } of [...this.#opened]) if (dropped.has(keyId)) stream.stop();
  }

  #feedOf(name: string, read: ReadTopic): Feed {
    const known = this.#feeds.get(name);
    if (known !== undefined && known.gone === undefined) return known;
    const feed = new Feed(read, this.#log, () => {
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
