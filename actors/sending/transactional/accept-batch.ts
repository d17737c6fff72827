// Accepting a batch: each recipient by itself, as a single send is accepted, all that are queued in
// one entry. A recipient who is refused harms nobody beside it and leaves its key free. What a
// reader would get wrong: a batch that is dear to render, or long to write, is cut where it has
// taken its fill, and its caller asks for the rest in turns of their own. Source: specification,
// "Transactional lane"; contract, section 7.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { assert } from '../../../engine/base/assert.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { contentLimits } from '../../content/content-limits.ts';
import { providerTemplateMissing } from '../../content/missing-member.ts';
import { withTemplate } from '../../content/templates/copy.ts';
import { limits } from '../../limits.ts';
import type { RecipientRecord } from '../../people/audience/recipient-reader.ts';
import { BatchPeople } from './batch-people.ts';
import { BatchWords } from './batch-words.ts';
import { earlierSend, type KeyedRecipient } from './earlier-sends.ts';
import { formatSendWords } from './idempotency.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';
import { recipientClaim, recipientKey } from './idempotency-claim.ts';
import type {
  BatchRecipient,
  RecipientOutcome,
  RecipientResult,
  SharedRequest,
  TransactionalProtocol,
} from './protocol.ts';
import { checkRoom, targetsOf } from './queue-send.ts';
import { QueuedBatch } from './queued-batch.ts';
import { refOfParts } from './send-key.ts';
import type { SendsMemory, SendsView } from './view.ts';

type AcceptBatch = MessageOf<TransactionalProtocol, 'transactional.accept_batch'>;
type BatchReply = TransactionalProtocol['transactional.accept_batch']['reply'];

/**
 * What a recipient and a step of a template cost, as bytes of messages: some 15 µs to decide and as
 * much to write, and up to half a microsecond (see `Decision.work`).
 */
const workOfRecipient = 2_048;
const workOfStep = 32;
/** Records of merged people that a turn reads for their keys, some 20 ms of it. */
const aliasesLookedMax = 4_000;

/** Decides one `POST …/notifications/batch`, or as much of it as one turn takes. */
export function acceptBatch(
  state: SendsMemory,
  app: SendsView,
  message: AcceptBatch,
  context: Context,
): Decision<BatchReply> {
  const { recipients, key, claimed } = message;
  assert(recipients.length <= limits.batchRecipientsMax, 'the edge counts recipients');
  const shared = copyOf(app, message.request, context);
  const turn = new BatchTurn(state, app, shared, key, claimed, context);
  const results: (RecipientResult | number)[] = [];
  for (const recipient of recipients) {
    const result = turn.take(recipient);
    // With no room for the first that is new, the batch is refused as a single send is; later ones
    // fail by themselves.
    if (typeof result === 'object' && 'noRoom' in result) {
      if (claimed.length === 0 && results.every(isRejected)) return refused(result.noRoom);
      results.push(rejected('failed', result.noRoom));
    } else results.push(result);
    if (turn.isFull) break;
  }
  if ('fault' in shared) {
    // Whoever was sent to before is told so, whatever became of the words; with nobody of the kind
    // there is nothing to tell.
    const isKnown = results.some(isOfEarlier);
    const { run } = turn.queued;
    const reply = { results, run: refOfParts(run), claimed: turn.claimed };
    return isKnown ? accepted(reply) : refused(shared.fault);
  }
  const isDone = results.length === recipients.length;
  const rest = isDone ? { claimed: [] } : { claimed: turn.claimed, request: shared.request };
  const { queued } = turn;
  const reply = { results, run: refOfParts(queued.run), ...rest };
  const work = results.length * workOfRecipient + turn.stepsTaken * workOfStep;
  if (queued.count === 0) return accepted(reply, { work });
  return accepted(reply, { work, entries: queued.entries(), documents: queued.documents() });
}

/** The words that are shared, or why there are none: then nobody can be queued. */
type Copied = { readonly request: SharedRequest } | { readonly fault: Fault };

/**
 * What all recipients are sent: the template that the batch names is copied in its first turn, and
 * never looked at again.
 */
function copyOf(
  app: SendsView,
  shared: SharedRequest,
  context: Pick<Context, 'documents'>,
): Copied {
  const { templateName: _name, templateId: _id, ...given } = shared;
  const copied = withTemplate(app, shared, given, 'transactional', context);
  if ('fault' in copied) return copied;
  // No recipient has a payload of its own, so this is wrong with all of them.
  const unfit = providerTemplateMissing(copied.content, shared.channels);
  return unfit === undefined ? { request: copied.content } : { fault: unfit };
}

/** The recipients of one turn, one after the other, and what they leave. */
class BatchTurn {
  readonly queued: QueuedBatch;
  readonly #state: SendsMemory;
  readonly #app: SendsView;
  readonly #channels: SharedRequest['channels'];
  readonly #key: string | null;
  readonly #context: Context;
  readonly #people: BatchPeople;
  /** Or why there are none. */
  readonly #words: BatchWords | { readonly fault: Fault };
  /** Keys that this call has claimed: memory hears of them only when the turn is applied. */
  readonly #claimed: Set<number>;
  /** Records of people who were merged, read for their keys. */
  #aliasesLooked = 0;

  constructor(
    state: SendsMemory,
    app: SendsView,
    shared: Copied,
    key: string | null,
    claimed: readonly number[],
    context: Context,
  ) {
    this.#state = state;
    this.#app = app;
    this.#key = key;
    this.#context = context;
    this.#claimed = new Set(claimed);
    this.#words =
      'fault' in shared ? shared : new BatchWords(app.record, shared.request, context.nowMs);
    this.#people = new BatchPeople(app, 'fault' in shared ? {} : shared.request, context);
    this.#channels = 'fault' in shared ? undefined : shared.request.channels;
    this.queued = new QueuedBatch(context);
  }

  get claimed(): readonly number[] {
    return [...this.#claimed];
  }

  get stepsTaken(): number {
    return 'fault' in this.#words ? 0 : this.#words.spent.steps;
  }

  /**
   * Whether this turn has rendered as much as a single message may, or has read or written its
   * share.
   */
  get isFull(): boolean {
    if (this.#aliasesLooked >= aliasesLookedMax) return true;
    if ('fault' in this.#words) return false;
    const { steps, work, chars } = this.#words.spent;
    return (
      steps >= contentLimits.stepsMax ||
      work >= contentLimits.workMax ||
      chars >= limits.sliceBytesMax
    );
  }

  /** Accepts one recipient, or says why not. */
  take(recipient: BatchRecipient): RecipientResult | number | { readonly noRoom: Fault } {
    const person = this.#person(recipient);
    if ('outcome' in person) return person;
    const key =
      recipient.key ?? (this.#key === null ? undefined : recipientKey(this.#key, person.id));
    const { owner } = this.#context;
    const { fingerprint } = recipient;
    let claim: IdempotencyClaim | null = null;
    if (key !== undefined && fingerprint !== undefined) {
      claim = recipientClaim(owner, key, fingerprint, person.person);
      if (this.#claimed.has(shortOf(claim))) return inFlight;
      const { send, looked } = earlierSend(
        this.#state,
        this.#app,
        person,
        recipient as KeyedRecipient,
        claim,
        this.#key,
        this.#context,
      );
      this.#aliasesLooked += looked;
      if (send === 'conflict') return conflict;
      if (send !== undefined) return { outcome: 'replayed', id: formatSendWords(send) };
    }
    if ('fault' in this.#words) return rejected('invalid', this.#words.fault);
    const noRoom = checkRoom(this.#state, this.#app, claim, this.#context, this.queued.count);
    if (noRoom !== undefined) return { noRoom };
    const targets = targetsOf(person, this.#channels);
    const rendered = this.#words.of(person, recipient, targets);
    if ('fault' in rendered) return rejected('invalid', rendered.fault);
    const { content, options } = rendered;
    if (claim !== null) this.#claimed.add(shortOf(claim));
    const at = this.queued.add({ person, targets, content, options, claim });
    return typeof at === 'number' ? at : { outcome: 'queued', id: at };
  }

  /** A damaged record costs its own recipient and nobody else. */
  #person(recipient: BatchRecipient): RecipientRecord | RecipientResult {
    try {
      const named = this.#people.of(recipient);
      return 'fault' in named ? rejected('not_found', named.fault) : named.person;
    } catch (error) {
      if (error instanceof DamagedRecord) return damaged;
      throw error;
    }
  }
}

/** 53 bits of a key, which tell a thousand apart, and are a third of the time of a text. */
function shortOf({ key: [first, second] }: IdempotencyClaim): number {
  return first * 2_097_152 + (second >>> 11);
}

const inFlight: RecipientResult = {
  outcome: 'in_flight',
  error: 'an earlier recipient of this batch has the same idempotency key',
};
const conflict: RecipientResult = {
  outcome: 'conflict',
  error: 'this idempotency key was used with a different request',
  field: 'idempotencyKey',
};
const damaged: RecipientResult = {
  outcome: 'failed',
  error: 'the record of this person cannot be read; nothing was sent',
};

function rejected(outcome: RecipientOutcome, { message, field }: Fault): RecipientResult {
  return { outcome, error: message, ...(field === undefined ? {} : { field }) };
}

function isOfEarlier(result: RecipientResult | number): boolean {
  return (
    typeof result === 'object' && (result.outcome === 'replayed' || result.outcome === 'conflict')
  );
}

function isRejected(result: RecipientResult | number): boolean {
  return typeof result === 'object' && result.outcome !== 'queued' && result.outcome !== 'replayed';
}
