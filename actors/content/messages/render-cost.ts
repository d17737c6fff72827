// Whether an in-app message is cheap enough to render. Checked when an in-app message names it and
// when it changes, so that the author gets the error and no feed is left without it.

import type { Millis } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { renderContext } from '../liquid/context.ts';
import { RenderBudget } from '../liquid/render-budget.ts';
import { localize } from '../render/localize.ts';
import { renderContent } from '../render/render-message.ts';
import type { MessageContent } from '../shape/message-schema.ts';

/**
 * Why rendering is too expensive, as a sentence: without tags, one language exceeds a message's
 * bounds, or all together a feed's. A person's tags may still exceed them in their feed.
 */
export function renderCostProblem(
  content: MessageContent,
  app: { readonly name: string; readonly timezone: string },
  nowMs: Millis,
): string | undefined {
  const context = renderContext({ id: '', tags: {} }, app);
  const all = new RenderBudget(limits.feedStepsMax, limits.feedWorkMax, limits.feedTagCharsMax);
  const { timezone } = app;
  for (const language of [undefined, ...Object.keys(content.localizations ?? {})]) {
    const budget = all.part(limits.inAppStepsMax, limits.inAppWorkMax, limits.inAppTagCharsMax);
    const how = { lane: 'marketing', email: false, nowMs, timezone, budget } as const;
    const written = localize(content, language === undefined ? {} : { language });
    const result = renderContent(written, context, how);
    all.settle(budget);
    if ('fault' in result && result.fault.message.includes('runaway template'))
      return `it is too expensive to render in a feed: at most ${limits.inAppStepsMax} steps and ${limits.inAppTagCharsMax} characters within tags per language, ${limits.feedStepsMax} and ${limits.feedTagCharsMax} across all languages: ${result.fault.message}`;
  }
  return undefined;
}
