// A partition with people `user-0` and on, who all have a mail address, and a caller who sends them
// batches as the edge does: recipients with the fingerprint of their request, asked for again from
// where a turn was cut.

import { resultInFull } from '../../../../actors/sending/transactional/batch-result.ts';
import { fingerprintWords } from '../../../../actors/sending/transactional/idempotency-claim.ts';
import type {
  BatchRecipient,
  RecipientResult,
  SharedRequest,
  TransactionalProtocol,
} from '../../../../actors/sending/transactional/protocol.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import type { MemoryStore } from '../../../../storage/memory.ts';
import { partitionWithApp, type TestPartition } from '../../../support/partition.ts';

type BatchReply = TransactionalProtocol['transactional.accept_batch']['reply'];

interface Called {
  readonly results: readonly RecipientResult[];
  /** How many of them each turn took. */
  readonly turns: readonly number[];
}

export class BatchScene {
  one: TestPartition;
  readonly app: number;
  readonly ids: readonly string[];

  private constructor(one: TestPartition, app: number, ids: readonly string[]) {
    this.one = one;
    this.app = app;
    this.ids = ids;
  }

  static async make(people: number, store?: MemoryStore): Promise<BatchScene> {
    const { one, app } = await partitionWithApp(store === undefined ? {} : { store });
    const ids: string[] = [];
    for (let i = 0; i < people; i++) {
      const { subscriber } = await one.value(app, 'subscriber.upsert', {
        subscriber: {
          externalUserId: `user-${i}`,
          tags: { first_name: `Name ${i}` },
          devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
        },
      });
      ids.push(subscriber.id);
    }
    return new BatchScene(one, app, ids);
  }

  /** One turn. */
  turn(
    request: SharedRequest,
    recipients: readonly BatchRecipient[],
    key: string | null = null,
    claimed: readonly number[] = [],
  ): Promise<Answer> {
    return this.one.ask(this.app, 'transactional.accept_batch', {
      request,
      key,
      claimed,
      recipients: recipients.map((own) => printed(request, own)),
    });
  }

  /** All of a batch, in as many turns as it takes. */
  async send(
    request: SharedRequest,
    recipients: readonly BatchRecipient[],
    key: string | null = null,
  ): Promise<Called> {
    const results: RecipientResult[] = [];
    const turns: number[] = [];
    let claimed: readonly number[] = [];
    do {
      const answer = await this.turn(request, recipients.slice(results.length), key, claimed);
      if (!answer.ok) throw new Error(answer.fault.message);
      const reply = answer.value as BatchReply;
      if (reply.results.length === 0) throw new Error('a turn took nobody');
      for (const result of reply.results) results.push(resultInFull(result, reply.run));
      turns.push(reply.results.length);
      ({ claimed } = reply);
    } while (results.length < recipients.length);
    return { results, turns };
  }

  /** The ids of the open sends of each person who has one. */
  openSends(): Map<number, string[]> {
    const open = new Map<number, string[]>();
    for (const { person, sendId } of this.outbox.jobs.values())
      open.set(person, [...(open.get(person) ?? []), sendId]);
    return open;
  }

  get outbox() {
    const app = this.one.product.state.apps.get(this.app);
    if (app === undefined) throw new Error('the app is gone');
    return app.outbox;
  }
}

/** People by the caller's own ids. */
export function users(count: number, own: Partial<BatchRecipient> = {}): BatchRecipient[] {
  return Array.from({ length: count }, (_, i) => ({ to: { externalUserId: `user-${i}` }, ...own }));
}

export function outcomesOf(results: readonly RecipientResult[]): readonly string[] {
  return results.map(({ outcome }) => outcome);
}

function printed(request: SharedRequest, own: BatchRecipient): BatchRecipient {
  const { to: _to, key: _key, ...words } = own;
  return { ...own, fingerprint: fingerprintWords(JSON.stringify({ ...request, ...words })) };
}
