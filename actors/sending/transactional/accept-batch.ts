// Accepts a batch: each recipient like a single send, all queued in one entry. A refused one
// affects no other and leaves its key free. Expensive batches are cut by counted work; the caller
// asks for the rest in another turn. Source: specification, "Transactional lane"; contract, section
// 7.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { assert } from '../../../engine/base/assert.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { providerTemplateMissing } from '../../content/accept/missing-member.ts';
import { contentLimits } from '../../content/shape/content-limits.ts';
import { withTemplate } from '../../content/templates/copy.ts';
import { limits } from '../../limits.ts';
import type { RecipientRecord } from '../../people/audience/recipient-reader.ts';
import type { SendsView } from '../outbox/reads.ts';
import { refOfParts, sendOfRef } from '../outbox/send-key.ts';
import { BatchContent } from './batch-content.ts';
import { earlierSend, type KeyedRecipient } from './earlier-sends.ts';
import { type IdempotencyClaim, recipientClaim, recipientKey } from './idempotency-claim.ts';
import type { TransactionalMemory } from './memory.ts';
import type {
  BatchRecipient,
  RecipientOutcome,
  RecipientResult,
  SharedRequest,
  TransactionalProtocol,
} from './protocol.ts';
import { checkRoom, targetsOf } from './queue-send.ts';
import { QueuedBatch } from './queued-batch.ts';
import { Recipients } from './recipients.ts';

type AcceptBatch = Omit<
  MessageOf<TransactionalProtocol, 'transactional.accept_batch'>,
  'recipients'
> & { readonly recipients: readonly BatchRecipient[] };
type BatchReply = TransactionalProtocol['transactional.accept_batch']['reply'];

/** In bytes of messages (`Decision.work`): 30 µs per recipient, up to 0.5 µs per step. */
const workOfRecipient = 2_048;
const workOfStep = 32;
/** Records of merged people that a turn reads for their keys; about 20 ms. */
const aliasesLookedMax = 4_000;

export function acceptBatch(
  state: TransactionalMemory,
  app: SendsView,
  message: AcceptBatch,
  context: Context,
): Decision<BatchReply> {
  const { recipients, key, claimed } = message;
  assert(recipients.length <= limits.batchRecipientsMax, 'the edge counts recipients');
  const shared: Copied = message.onlyEarlier
    ? { fault: notEarlier }
    : copyOf(app, message.request, context);
  const turn = new BatchTurn(state, app, shared, key, claimed, context);
  const results: (RecipientResult | number)[] = [];
  for (const recipient of recipients) {
    const result = turn.accept(recipient);
    // If the first new recipient finds no room, the whole batch is refused like a single send;
    // later ones are rejected alone.
    if (typeof result === 'object' && 'noRoom' in result) {
      if (claimed.length === 0 && results.every(isRejected)) return refused(result.noRoom);
      results.push(rejected('failed', result.noRoom));
    } else results.push(result);
    if (turn.isFull) break;
  }
  if ('fault' in shared) {
    // Recipients of an earlier call get their results even if the content is now at fault.
    const isKnown = results.some(isOfEarlier);
    const { run } = turn.queued;
    const reply = { results, run: refOfParts(run), claimed: turn.claimed };
    return isKnown || message.onlyEarlier ? accepted(reply) : refused(shared.fault);
  }
  const isDone = results.length === recipients.length;
  const rest = isDone ? { claimed: [] } : { claimed: turn.claimed, request: shared.request };
  const { queued } = turn;
  const reply = { results, run: refOfParts(queued.run), ...rest };
  const work = results.length * workOfRecipient + turn.stepsTaken * workOfStep;
  if (queued.count === 0) return accepted(reply, { work });
  return accepted(reply, { work, entries: queued.entries(), documents: queued.documents() });
}

/** What `onlyEarlier` says of those whom no earlier call queued. */
const notEarlier: Fault = { code: 'invalid', message: 'no earlier call queued this recipient' };

/** The shared content, or the fault for which nobody can be queued. */
type Copied = { readonly request: SharedRequest } | { readonly fault: Fault };

/** The first turn copies the template that the batch names; later turns use that copy. */
function copyOf(
  app: SendsView,
  shared: SharedRequest,
  context: Pick<Context, 'documents'>,
): Copied {
  const { templateName: _name, templateId: _id, ...given } = shared;
  const copied = withTemplate(app, shared, given, 'transactional', context);
  if ('fault' in copied) return copied;
  // Recipients have no payload of their own, so this fault concerns all of them.
  const unfit = providerTemplateMissing(copied.content, shared.channels);
  if (unfit !== undefined) return { fault: unfit };
  const { templateId = app.templates.get(shared.templateName ?? '') } = shared;
  const request = copied.content;
  return { request: templateId === undefined ? request : { ...request, copiedFrom: templateId } };
}

/** The recipients of one turn and what they write. */
class BatchTurn {
  readonly queued: QueuedBatch;
  readonly #state: TransactionalMemory;
  readonly #app: SendsView;
  readonly #channels: SharedRequest['channels'];
  readonly #templateId: string | undefined;
  readonly #key: string | null;
  readonly #context: Context;
  readonly #people: Recipients;
  readonly #words: BatchContent | { readonly fault: Fault };
  /** Keys this call has claimed: memory has them only once the turn is applied. */
  readonly #claimed: Set<number>;
  #aliasesLooked = 0;

  constructor(
    state: TransactionalMemory,
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
      'fault' in shared ? shared : new BatchContent(app.record, shared.request, context.nowMs);
    this.#people = new Recipients(app, 'fault' in shared ? {} : shared.request, context);
    this.#templateId = 'fault' in shared ? undefined : shared.request.copiedFrom;
    this.#channels = 'fault' in shared ? undefined : shared.request.channels;
    this.queued = new QueuedBatch(context);
  }

  get claimed(): readonly number[] {
    return [...this.#claimed];
  }

  get stepsTaken(): number {
    return 'fault' in this.#words ? 0 : this.#words.spent.steps;
  }

  /** Whether this turn has rendered as much as one message may, or read or written its share. */
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
  accept(recipient: BatchRecipient): RecipientResult | number | { readonly noRoom: Fault } {
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
      if (send !== undefined) return { outcome: 'replayed', id: sendOfRef(send) };
    }
    if ('fault' in this.#words) return rejected('invalid', this.#words.fault);
    const room = { more: this.queued.count, copies: this.#words.copies };
    const noRoom = checkRoom(this.#state, this.#app, claim, this.#context, room);
    if (noRoom !== undefined) return { noRoom };
    const targets = targetsOf(person, this.#channels);
    const rendered = this.#words.of(person, recipient, targets);
    if ('fault' in rendered) return rejected('invalid', rendered.fault);
    const { content, options } = rendered;
    if (claim !== null) this.#claimed.add(shortOf(claim));
    const templateId = this.#templateId;
    const at = this.queued.add({ person, targets, content, options, claim, templateId });
    return typeof at === 'number' ? at : { outcome: 'queued', id: at };
  }

  /** A damaged record rejects only its own recipient. */
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

/** 53 bits of a key: enough to distinguish a thousand, and three times as fast as a text. */
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
