// Whether a message may be shown by an app as far as its templates go: rendered once, for somebody
// without tags. Judged when an in-app message names it and when it is changed, so that the author
// hears of it rather than nobody.

import type { Millis } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { renderContext } from '../context.ts';
import { localize } from '../localize.ts';
import type { MessageContent } from '../message-schema.ts';
import { RenderBudget } from '../render-budget.ts';
import { renderContent } from '../render-message.ts';

/**
 * Why a message is too dear to be shown by an app, as a sentence: somebody without a tag could not
 * get it within the bounds of a message, in one of its languages, or all of its languages together
 * take more than a feed has. `undefined` when it can be shown; what a person's own tags make of it
 * is found out in their feed.
 */
export function tooDear(
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
