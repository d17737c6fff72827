// Decides about in-app messages.
// Source: contract, section 9; specification, "Segment".

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeMessage, unfitForApp } from '../../content/messages/decide.ts';
import type { MessageView } from '../../content/messages/protocol.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { fault, unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import { validateFilter } from '../segments/find-segment.ts';
import { feedDecisions } from './feed-decisions.ts';
import type { InAppMessagesMemory, InAppMessagesView } from './memory.ts';
import type { InAppEntry, InAppInput, InAppProtocol, InAppRecord, InAppView } from './protocol.ts';

type Accepted<R = unknown> = Extract<Decision<R>, { readonly outcome: 'accepted' }>;

export const inAppDecisions: Decisions<InAppProtocol, InAppMessagesMemory> = {
  'inapp.create': (state, { input, template }, context) =>
    withApp(state, context, (app) => {
      const { inAppMessagesMax } = limits;
      if (app.inApp.size >= inAppMessagesMax)
        return refused(
          fault(
            'limit_reached',
            `an app has at most ${inAppMessagesMax} in-app messages; delete an expired one first`,
          ),
        );
      if (template === undefined) return create(app, input, context);
      if (input.messageId !== undefined)
        return refused(fieldFault('messageId', 'cannot be combined with a template'));
      const made = makeMessage(app, { content: {} }, template, context);
      if (made.outcome === 'refused') return made;
      const shown = create(app, { ...input, messageId: made.reply.id }, context, made.reply);
      return shown.outcome === 'refused' ? shown : joined(made, shown);
    }),

  'inapp.read': (state, { id }, context) =>
    withInApp(state, id, context, (record, app) => accepted(viewOf(app, record))),

  'inapp.update': (state, { id, input }, context) =>
    withInApp(state, id, context, (record, app) =>
      save(app, { ...record, updatedMs: context.nowMs }, input, context),
    ),

  'inapp.delete': (state, { id }, context) =>
    withInApp(state, id, context, () => {
      const entry: InAppEntry = { kind: 'inapp.deleted', owner: context.owner, id };
      return accepted(null, { entries: [entry] });
    }),

  'inapp.list': (state, _message, context) =>
    withApp(state, context, (app) =>
      accepted([...app.inApp.records()].map((record) => viewOf(app, record))),
    ),

  ...feedDecisions,
};

/** `made`: the message of it, which is not stored yet. */
function create(
  app: InAppMessagesView,
  input: InAppInput,
  context: Context,
  made?: MessageView,
): Decision<InAppView> {
  const { messageId } = input;
  if (messageId === undefined)
    return refused(fieldFault('messageId', 'is missing; expected messageId or templateName'));
  const { owner, nowMs } = context;
  const fresh: InAppRecord = {
    id: newId('iam', owner, nowMs, context.rng),
    messageId,
    priority: 0,
    inbox: false,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  return save(app, fresh, input, context, made);
}

/** Both in one turn. */
function joined<R>(first: Accepted, second: Accepted<R>): Decision<R> {
  return accepted(second.reply, {
    entries: [...(first.entries ?? []), ...(second.entries ?? [])],
    documents: [...(first.documents ?? []), ...(second.documents ?? [])],
  });
}

function save(
  app: InAppMessagesView,
  before: InAppRecord,
  input: InAppInput,
  context: Context,
  made?: MessageView,
): Decision<InAppView> {
  const wrong =
    input.messageId === undefined ? undefined : messageFault(input.messageId, app, context, made);
  if (wrong !== undefined) return refused(wrong);
  const validated = input.filter == null ? undefined : validateFilter(app, input.filter);
  if (validated !== undefined && 'fault' in validated) return refused(validated.fault);
  if (input.show !== undefined && input.inbox !== undefined)
    return refused(fieldFault('inbox', 'cannot be combined with show'));
  const { filter: oldFilter, startMs: oldStart, endMs: oldEnd, ...others } = before;
  const { isQuiet: _quiet, display: oldDisplay, ...rest } = others;
  const display = input.display === undefined ? oldDisplay : (input.display ?? undefined);
  const filter = input.filter === undefined ? oldFilter : validated?.filter;
  const startMs = input.startMs === undefined ? oldStart : (input.startMs ?? undefined);
  const endMs = input.endMs === undefined ? oldEnd : (input.endMs ?? undefined);
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs)
    return refused(fieldFault('endAt', 'must be after startAt'));
  const record: InAppRecord = {
    ...rest,
    messageId: input.messageId ?? before.messageId,
    priority: input.priority ?? before.priority,
    ...placesOf(input, before),
    ...(filter === undefined ? {} : { filter }),
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
    ...(display === undefined ? {} : { display }),
  };
  const entry: InAppEntry = { kind: 'inapp.saved', owner: context.owner, message: record };
  return accepted(viewOf(app, record), { entries: [entry] });
}

function placesOf(
  { show, inbox = show === undefined ? undefined : show !== 'popup' }: InAppInput,
  before: InAppRecord,
): Pick<InAppRecord, 'inbox' | 'isQuiet'> {
  const isKept = inbox ?? before.inbox;
  const isQuiet = isKept && (show === undefined ? before.isQuiet === true : show === 'inbox');
  return { inbox: isKept, ...(isQuiet ? { isQuiet } : {}) };
}

function messageFault(
  messageId: string,
  app: InAppMessagesView,
  context: Context,
  made?: MessageView,
): Fault | undefined {
  const message = made ?? readMessage(messageId, context);
  if (message === undefined) return unknownId('messageId', 'message', messageId);
  const { content } = message;
  const unfit = unfitForApp(content, app.record, context.nowMs);
  if (unfit === undefined) return undefined;
  return fieldFault(made === undefined ? 'messageId' : 'templateName', unfit);
}

function viewOf(app: InAppMessagesView, record: InAppRecord): InAppView {
  return { ...record, counts: app.inApp.countsOf(record.id) };
}

const withInApp = withNamed('in-app message', ({ inApp }: InAppMessagesView, id: string) =>
  inApp.get(id),
);
