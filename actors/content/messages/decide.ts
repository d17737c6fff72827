// Decides about saved messages. Checks what a message needs as a whole (a body, a bounded size)
// after merging a change or a template, because the edge sees only a call's members. Source:
// specification, "Message"; contract, section 5.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { messages } from '../../../storage/tables/message.ts';
import { asOneLine, copiedName } from '../../copied-name.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { cursorOf } from '../../list-order.ts';
import type { CountedPage } from '../../people/audience/protocol.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import { missingMember } from '../accept/missing-member.ts';
import { contentPage } from '../saved/content-page.ts';
import {
  changedContent,
  changedMember,
  charactersOf,
  contentFault,
} from '../saved/whole-content.ts';
import type { MessageContent } from '../shape/message-schema.ts';
import { withTemplate } from '../templates/copy.ts';
import type { TemplatesReads } from '../templates/reads.ts';
import type { TemplateRef } from '../templates/template-ref.ts';
import type { MessagesMemory, MessagesView } from './memory.ts';
import { previewFacts } from './preview-facts.ts';
import type {
  ChangedMessage,
  MessageChange,
  MessageInput,
  MessagesEntry,
  MessagesProtocol,
  MessageUse,
  MessageUser,
  MessageView,
} from './protocol.ts';
import { readMessage } from './read-message.ts';
import type { MessagesReads } from './reads.ts';
import { renderCostProblem } from './render-cost.ts';

/** The host answers `message.preview`, after `message.facts`. */
export const messagesDecisions: Omit<
  Decisions<MessagesProtocol, MessagesMemory>,
  'message.preview'
> = {
  'message.create': (state, { message, template = {} }, context) =>
    withApp(state, context, (app) => makeMessage(app, message, template, context)),

  'message.duplicate': (state, { id, name }, context) =>
    withMessage(state, id, context, (row, app) => {
      if (app.messageCount >= limits.messagesMax) return refused(tooMany);
      const { content, design, writtenFor } = row;
      const copy = {
        name: name ?? copiedName(row.name ?? (asOneLine(content.title) || id)),
        content,
        ...(design === undefined ? {} : { design }),
        ...(writtenFor === undefined ? {} : { writtenFor }),
      };
      return create(copy, context);
    }),

  'message.read': (state, { id }, context) =>
    withMessage(state, id, context, (row) => accepted(row)),

  'message.update': (state, { id, change }, context) =>
    withMessage(state, id, context, (row, app): Decision<ChangedMessage> => {
      const changed = changedRow(row, change);
      const { content } = changed;
      const user = app.inApp.userOf(id);
      const unfit =
        user === undefined ? undefined : unfitForApp(content, app.record, context.nowMs);
      if (unfit !== undefined)
        return refused(
          fault(
            'in_use',
            `the in-app message ${user} shows this message; after the change ${unfit}`,
          ),
        );
      const wrong = campaignLacking(app, id, content) ?? contentFault(content);
      if (wrong !== undefined) return refused(wrong);
      const written = write('message.changed', { ...changed, updatedMs: context.nowMs }, context);
      if (written.outcome === 'refused') return written;
      const uses = usesOf(app, id);
      const inUse = uses.slice(0, limits.messageUsesShown);
      return { ...written, reply: { ...written.reply, inUse, inUseTotal: uses.length } };
    }),

  'message.delete': (state, { id }, context) =>
    withMessage(state, id, context, (_row, app) => {
      const user = app.inApp.userOf(id);
      if (user !== undefined)
        return refused(
          fault(
            'in_use',
            `the in-app message ${user} uses this message; delete the in-app message first`,
          ),
        );
      const [campaign] = app.campaigns.usersOf(id);
      if (campaign !== undefined)
        return refused(
          fault(
            'in_use',
            `${campaign.what} uses this message; cancel or delete the campaign first`,
          ),
        );
      const journey = app.journeys.userOfMessage(id);
      if (journey !== undefined)
        return refused(
          fault('in_use', `${journey} sends this message; change or delete the journey first`),
        );
      const entry: MessagesEntry = { kind: 'message.deleted', owner: context.owner, id };
      return accepted(null, {
        entries: [entry],
        documents: [{ table: messages, key: [id], value: undefined }],
      });
    }),

  'message.uses': (state, { id }, context) =>
    withMessage(state, id, context, (_row, app) => {
      const users = usersOf(app, id, context.nowMs);
      return accepted({ items: users.slice(0, limits.usesListed), total: users.length });
    }),

  'message.facts': (state, { id, ...asked }, context) =>
    id === undefined
      ? withApp(state, context, (app) => previewFacts(app, {}, asked, context))
      : withMessage(state, id, context, ({ content }, app) =>
          previewFacts(app, content, asked, context),
        ),

  'message.list': (state, asked, context) =>
    withApp(state, context, (app) => {
      const { order = 'oldest', cursor } = asked;
      const after = cursor === undefined ? undefined : cursorOf(order, cursor);
      if (cursor !== undefined && (after === undefined || parseId('msg', after) === undefined))
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const page = contentPage(messages, asked, after, app.messageCount, context.documents);
      return accepted(page as CountedPage<MessageView>);
    }),
};

/** A message of its content over that of a template. In-app messages are made so, too. */
export function makeMessage(
  app: MessagesReads & TemplatesReads,
  message: MessageInput,
  template: TemplateRef,
  context: Context,
): Decision<MessageView> {
  if (app.messageCount >= limits.messagesMax) return refused(tooMany);
  const copied = withTemplate(app, template, message.content, 'marketing', context);
  if ('fault' in copied) return refused(copied.fault);
  const wrong = contentFault(copied.content);
  if (wrong !== undefined) return refused(wrong);
  return create({ ...copied, ...message, content: copied.content }, context);
}

/** The campaigns that were sent and are not over, and the live journeys, that send a message. */
function usesOf({ campaigns, sending, journeys }: MessagesView, id: string): MessageUse[] {
  const sent = campaigns.usersOf(id).filter(({ record }) => record.state !== 'draft');
  return [
    ...sent.map(({ record }) => ({
      type: 'campaign' as const,
      id: record.id,
      name: record.name,
      state: record.state,
      copied: sending.of(record.id).some(({ endedMs }) => endedMs === null),
    })),
    ...journeys.liveOfMessage(id).map(({ id, name }) => ({
      type: 'journey' as const,
      id,
      name,
      state: 'active',
      copied: true,
    })),
  ];
}

/** Everything that would lack the message. */
function usersOf(
  { campaigns, journeys, inApp }: MessagesView,
  messageId: string,
  nowMs: Millis,
): MessageUser[] {
  const users: MessageUser[] = [];
  for (const { record } of campaigns.usersOf(messageId)) {
    const { id, name, state } = record;
    users.push({ kind: 'campaign', id, name, state });
  }
  for (const { id, name, active } of journeys.recordsOfMessage(messageId))
    users.push({ kind: 'journey', id, name, state: active ? 'active' : 'inactive' });
  for (const { id, messageId: shown, startMs = 0, endMs } of inApp.records()) {
    if (shown !== messageId) continue;
    const isOver = endMs !== undefined && endMs <= nowMs;
    const state = isOver ? 'ended' : startMs > nowMs ? 'scheduled' : 'showing';
    users.push({ kind: 'in_app_message', id, name: null, state });
  }
  return users;
}

/** Why an app cannot show a message, as a sentence; `undefined` if it can. */
export function unfitForApp(
  content: MessageContent,
  app: { readonly name: string; readonly timezone: string },
  nowMs: Millis,
): string | undefined {
  if (content.body === undefined) return 'it has no body, which an in-app message needs';
  // Every feed reads and renders its messages, so a hundred long ones would hold up everyone.
  if (charactersOf(content) > limits.inAppCharsMax)
    return `it has more than ${limits.inAppCharsMax} characters as JSON across all languages`;
  return renderCostProblem(content, app, nowMs);
}

/** What a change would take from scheduled or sending campaigns; drafts are checked when sent. */
function campaignLacking(
  { campaigns }: MessagesView,
  id: string,
  content: MessageContent,
): Fault | undefined {
  for (const { record, what } of campaigns.usersOf(id)) {
    const { state, channels = [], fallbackChannels = [] } = record;
    if (state === 'draft') continue;
    const lacking = missingMember(content, channels) ?? missingMember(content, fallbackChannels);
    if (lacking === undefined) continue;
    const { member, channel } = lacking;
    return fault(
      'in_use',
      `${what} sends this message by ${channel}, which needs ${member}; the change would remove it`,
    );
  }
  return undefined;
}

const tooMany = fault('limit_reached', `an app has at most ${limits.messagesMax} messages`);

function create(message: MessageInput, context: Context): Decision<MessageView> {
  const { owner, nowMs } = context;
  const id = newId('msg', owner, nowMs, context.rng);
  const row = { id, ...message, createdMs: nowMs, updatedMs: nowMs };
  return write('message.created', row, context);
}

const withMessage = withNamed('message', (_app: MessagesView, id: string, context: Context) =>
  readMessage(id, context),
);

function write(
  kind: 'message.created' | 'message.changed',
  row: MessageView,
  { owner }: Context,
): Decision<MessageView> {
  const entry: MessagesEntry = { kind, owner, id: row.id };
  const documents = [{ table: messages, key: [row.id], value: row }];
  return accepted(row, { entries: [entry], documents });
}

function changedRow(
  row: MessageView,
  { name, design, writtenFor, content, removed }: MessageChange,
): MessageView {
  const { name: oldName, design: oldDesign, writtenFor: oldFor, ...rest } = row;
  const newDesign = changedMember(oldDesign, design, removed.includes('design'));
  const newName = changedMember(oldName, name, removed.includes('name'));
  const newFor = changedMember(oldFor, writtenFor, removed.includes('writtenFor'));
  return {
    ...rest,
    content: changedContent(row.content, { content, removed }),
    ...(newName === undefined ? {} : { name: newName }),
    ...(newDesign === undefined ? {} : { design: newDesign }),
    ...(newFor === undefined ? {} : { writtenFor: newFor }),
  };
}
