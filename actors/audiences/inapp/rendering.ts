// Renders a person's feed from one budget. Feeds need no API key and a turn delays everyone else's,
// so these bounds are far below those of a send.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { renderContext } from '../../content/liquid/context.ts';
import { RenderBudget } from '../../content/liquid/render-budget.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { localize } from '../../content/render/localize.ts';
import { renderContent } from '../../content/render/render-message.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { limits } from '../../limits.ts';
import type { InAppMessagesView } from './memory.ts';
import type { FeedMessage, InAppRecord } from './protocol.ts';

/**
 * `Decision.work` of a render step, of a character within a tag (as if parsed), of a message read,
 * and of a body's character (read, and its HTML removed).
 */
const stepWork = 64;
const tagCharWork = 32;
const messageWork = 1_024;
const bodyCharWork = 0.25;

type Shown = Omit<FeedMessage, 'id' | 'priority' | 'sinceMs' | 'endMs' | 'display'>;

/**
 * `show` renders each saved message at most once; undefined beyond its bounds, or for a template
 * once the feed's budget is used up. `work` is the `Decision.work` so far.
 */
export function renderer(
  app: InAppMessagesView,
  row: SubscriberRow,
  { nowMs, documents }: Pick<Context, 'nowMs' | 'documents'>,
): { show(record: InAppRecord): FeedMessage | undefined; work(): number } {
  const done = new Map<string, Shown | undefined>();
  const context = renderContext(row, app.record);
  const timezone = row.timezone ?? app.record.timezone;
  const all = new RenderBudget(limits.feedStepsMax, limits.feedWorkMax, limits.feedTagCharsMax);
  let bodyChars = 0;
  const render = (messageId: string): Shown | undefined => {
    const content = readMessage(messageId, { documents })?.content;
    bodyChars += charactersOf(content);
    if (content?.body === undefined) return undefined;
    const budget = all.part(limits.inAppStepsMax, limits.inAppWorkMax, limits.inAppTagCharsMax);
    const how = { lane: 'marketing', email: false, nowMs, timezone, budget } as const;
    const result = renderContent(localize(content, row.tags), context, how);
    all.settle(budget);
    if ('fault' in result) return undefined;
    // Options and payload are for channels, not for the app.
    const {
      options: _options,
      payload: _payload,
      language: _language,
      ...shown
    } = result.rendered.plain;
    return shown;
  };
  return {
    show(record) {
      const { id, messageId, priority, endMs = null, display } = record;
      if (!done.has(messageId)) done.set(messageId, render(messageId));
      const shown = done.get(messageId);
      if (shown === undefined) return undefined;
      const due = { id, ...shown, priority, sinceMs: sinceMs(record), endMs };
      return display === undefined ? due : { ...due, display };
    },
    work: () =>
      done.size * messageWork +
      bodyChars * bodyCharWork +
      (limits.feedStepsMax - all.stepsLeft) * stepWork +
      (limits.feedWorkMax - all.workLeft) +
      (limits.feedTagCharsMax - all.tagCharsLeft) * tagCharWork,
  };
}

/** Of a message's bodies in all languages: all are read to show one. */
function charactersOf(content: MessageContent | undefined): number {
  if (content === undefined) return 0;
  let characters = content.body?.length ?? 0;
  for (const { body = '' } of Object.values(content.localizations ?? {})) characters += body.length;
  return characters;
}

export function sinceMs({
  startMs,
  createdMs,
}: Pick<InAppRecord, 'startMs' | 'createdMs'>): Millis {
  return startMs ?? createdMs;
}
