// Sends one message to up to a thousand people, each with optional texts of their own. The lane is
// charged for all or none before anything is queued; then each recipient has its own result. A long
// batch takes several turns, each durable before the next.

import type { z } from 'zod';
import { checkVariables } from '../../../actors/content/accept/variables.ts';
import { limits } from '../../../actors/limits.ts';
import { resultInFull } from '../../../actors/sending/transactional/batch-result.ts';
import type {
  BatchRecipient,
  RecipientResult,
  SharedRequest,
  TransactionalProtocol,
} from '../../../actors/sending/transactional/protocol.ts';
import { packRecipients } from '../../../actors/sending/transactional/recipient-columns.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { chooseKey } from '../../call/idempotency.ts';
import { key, route } from '../../call/route.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { idempotencyHeaders, sentObject } from './accepted.ts';
import { type GivenMail, givenMail, isFetched, keptMail } from './attachments.ts';
import { BatchPrints, readRecipient } from './batch-recipient.ts';
import { batchBody, batchResult } from './batch-shape.ts';
import { sharedRequest } from './send-request.ts';

export const sendBatch = route({
  method: 'POST',
  path: '/v1/apps/:appId/notifications/batch',
  summary: 'Send a batch of messages',
  description: `Sends one message to up to ${limits.batchRecipientsMax.toLocaleString('en')} recipients. Each recipient may override the text and add variables to the shared ones. Each recipient counts as one unit in the transactional lane; a batch that does not fit is a 429 before anything is queued. All other outcomes are reported per recipient in \`results\`, in the order of the request. With an idempotency key, retry the whole batch in any order: recipients already queued are \`replayed\`. Without one, retry only the recipients that are \`failed\`. A body has at most ${limits.batchNodesMax.toLocaleString('en')} JSON values (objects, arrays, strings, numbers and literals each count as one).`,
  tag: 'Notifications',
  access: key('send'),
  changes: ['notification'],
  lane: 'transactional',
  unitsOf: ({ recipients }) => recipients.length,
  requestHeaders: idempotencyHeaders,
  body: batchBody,
  valuesMax: limits.batchNodesMax,
  judgesNumbersOf: 'recipients',
  responses: {
    202: {
      description: 'The outcome for each recipient. Queued sends are stored.',
      schema: batchResult,
    },
  },
  async handle(call) {
    const app = call.app();
    const { template } = namedTemplate(call, 'send');
    const request = { ...sharedRequest(call.body), ...template };
    const variables = checkVariables(request.variables);
    if ('fault' in variables) throw new FaultError(variables.fault);
    const sent = sentObject(call);
    const batchKey = chooseKey(call.header('idempotency-key'), sent['idempotencyKey']) ?? null;
    const prints = new BatchPrints(sent);
    const read = call.body.recipients.map((one, index) => {
      const fault = call.inexact.get(index);
      return fault === undefined ? readRecipient(one, prints, batchKey !== null) : { fault };
    });
    const given = givenMail(call.body);
    if (call.body.recipients.length > 1) refuseCopies(given);
    const good = read.filter((one): one is BatchRecipient => !('fault' in one));
    const answers = (await acceptMailed(call, app, request, batchKey, good, given)).values();
    const results = read.map((one): RecipientResult => {
      if (!('fault' in one)) return answers.next().value as RecipientResult;
      const { message, field } = one.fault;
      return { outcome: 'invalid', error: message, ...(field === undefined ? {} : { field }) };
    });
    const queued = count(results, 'queued');
    const replayed = count(results, 'replayed');
    call.edge.countDuplicates?.('idempotency_key', replayed);
    return {
      status: 202,
      body: {
        queued,
        replayed,
        rejected: results.length - queued - replayed,
        results: results.map((result, index) => ({
          index,
          ...namesOf(call.body.recipients[index]),
          ...result,
        })),
      },
    };
  },
});

/** Keeps the files of the email, unless an earlier call has queued everybody. */
async function acceptMailed(
  call: Call<unknown, z.output<typeof batchBody>>,
  app: Ordinal,
  request: SharedRequest,
  batchKey: string | null,
  recipients: readonly BatchRecipient[],
  given: GivenMail | undefined,
): Promise<readonly RecipientResult[]> {
  if (given === undefined) return acceptAll(call, app, request, batchKey, recipients);
  const hasKeys = batchKey !== null || recipients.some(({ key: own }) => own !== undefined);
  if (hasKeys && isFetched(given) && recipients.length > 0) {
    const body = { request, key: batchKey, recipients: packRecipients(recipients), claimed: [] };
    const { results, run } = await call
      .to<TransactionalProtocol>(app)
      .ask('transactional.accept_batch', { ...body, onlyEarlier: true });
    const isOver = (result: RecipientResult | number) =>
      typeof result === 'object' && result.outcome !== 'invalid';
    if (results.length === recipients.length && results.every(isOver))
      return results.map((result) => resultInFull(result, run));
  }
  const mail = await keptMail(call, app, given);
  return acceptAll(call, app, { ...request, mail }, batchKey, recipients);
}

/** A thousand people would be a thousand copies. */
function refuseCopies(given: GivenMail | undefined): void {
  for (const field of ['cc', 'bcc'] as const)
    if (given?.parts[field] !== undefined)
      throw new FaultError(
        fieldFault(field, 'only with one recipient: each email would bring another copy'),
      );
}

/** Accepts the recipients in turns; at least one turn, so that the app's actor checks the app. */
async function acceptAll(
  call: Call<unknown, z.output<typeof batchBody>>,
  app: Ordinal,
  first: SharedRequest,
  batchKey: string | null,
  recipients: readonly BatchRecipient[],
): Promise<readonly RecipientResult[]> {
  const results: RecipientResult[] = [];
  let claimed: readonly number[] = [];
  let request = first;
  do {
    try {
      const rest = packRecipients(recipients.slice(results.length));
      const body = { request, key: batchKey, recipients: rest, claimed };
      const reply = await call
        .to<TransactionalProtocol>(app)
        .ask('transactional.accept_batch', body);
      for (const result of reply.results) results.push(resultInFull(result, reply.run));
      claimed = reply.claimed;
      request = reply.request ?? request;
    } catch (error) {
      // Earlier turns are queued and must be reported. A refused turn did nothing: its recipients
      // can be sent again.
      if (results.length === 0 || !(error instanceof FaultError)) throw error;
      const { message } = error.fault;
      while (results.length < recipients.length)
        results.push({ outcome: 'failed', error: message });
    }
  } while (results.length < recipients.length);
  return results;
}

function count(results: readonly RecipientResult[], outcome: RecipientResult['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length;
}

/** The ids that named a recipient, if they are texts. */
function namesOf(sent: unknown): {
  readonly subscriberId?: string;
  readonly externalUserId?: string;
} {
  if (typeof sent !== 'object' || sent === null) return {};
  const { subscriberId, externalUserId } = sent as Readonly<Record<string, unknown>>;
  return {
    ...(typeof subscriberId === 'string' ? { subscriberId } : {}),
    ...(typeof externalUserId === 'string' ? { externalUserId } : {}),
  };
}
