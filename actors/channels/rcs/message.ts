// Google's request: a rich card if there is an image, otherwise text, with suggestions for buttons.
// Pure. A card has at most four suggestions; others become chips beneath, at most eleven. Within
// these limits a message stays far below the 250 KB of a request.

import type { Seconds } from '../../../engine/base/brand.ts';
import { failure, tooLong } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { buttonName, postbackOf } from '../port/postback.ts';
import { openLabel } from '../port/wording.ts';

/** Limits in characters, suggestions and seconds. */
const rcsLimits = {
  textMax: 3_072,
  cardTitleMax: 200,
  cardDescriptionMax: 2_000,
  suggestionTextMax: 25,
  postbackMax: 2_048,
  cardSuggestionsMax: 4,
  chipsMax: 11,
  /** RCS refuses shorter lives; "now or never" gets this one. */
  ttlSecondsMin: 10,
  ttlSecondsMax: 15 * 86_400,
} as const;

interface Suggestion {
  readonly text: string;
  readonly postbackData: string;
  readonly openUrlAction?: { readonly url: string };
  readonly dialAction?: { readonly phoneNumber: string };
}

/** The body for one number, or why there is none. `ttl` is the remaining lifetime. */
export function rcsMessage(
  attempt: Attempt,
  ttl: Seconds | undefined,
): { readonly body: string } | Failure {
  const { title, body, image } = attempt.content;
  const suggestions = suggestionsOf(attempt);
  const problem =
    image === undefined
      ? tooLong('the text', textOf(attempt), rcsLimits.textMax)
      : (tooLong('the title', title ?? '', rcsLimits.cardTitleMax) ??
        tooLong('the text of an image', body, rcsLimits.cardDescriptionMax));
  const bad = problem ?? problemOfSuggestions(suggestions, image !== undefined);
  if (bad !== undefined) return bad;

  const wire = suggestions.map(({ text, postbackData, ...action }) =>
    'openUrlAction' in action || 'dialAction' in action
      ? { action: { text, postbackData, ...action } }
      : { reply: { text, postbackData } },
  );
  const inCard = image === undefined ? 0 : rcsLimits.cardSuggestionsMax;
  const cardContent = {
    title,
    description: body,
    media: { height: 'MEDIUM', contentInfo: { fileUrl: image } },
    suggestions: orNone(wire.slice(0, inCard)),
  };
  const content =
    image === undefined
      ? { text: textOf(attempt) }
      : { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } };
  return {
    body: JSON.stringify({
      contentMessage: { ...content, suggestions: orNone(wire.slice(inCard)) },
      messageTrafficType: attempt.lane === 'express' ? 'TRANSACTION' : 'PROMOTION',
      ttl: ttl === undefined ? undefined : `${within(ttl)}s`,
    }),
  };
}

/** RCS text has no title, so the title is the first line. */
function textOf({ content }: Attempt): string {
  return content.title === undefined ? content.body : `${content.title}\n${content.body}`;
}

/** The buttons, then the deep link unless a button has it. Omits links that no phone can open. */
function suggestionsOf(attempt: Attempt): readonly Suggestion[] {
  const { buttons = [], deepLink, data } = attempt.content;
  const suggestions: Suggestion[] = [];
  for (const [index, button] of buttons.entries()) {
    const text = button.label;
    const postbackData = postbackOf(attempt, buttonName(button, index), data);
    const action = button.url === undefined ? {} : actionOf(button.url);
    if (action !== undefined) suggestions.push({ text, postbackData, ...action });
  }
  if (deepLink !== undefined && !buttons.some(({ url }) => url === deepLink)) {
    const postbackData = postbackOf(attempt, 'deepLink', data);
    const action = actionOf(deepLink);
    if (action !== undefined)
      suggestions.push({ text: openLabel(attempt), postbackData, ...action });
  }
  return suggestions;
}

/** Opens a page or dials a number. An app's own scheme is neither. */
function actionOf(url: string): Pick<Suggestion, 'openUrlAction' | 'dialAction'> | undefined {
  if (/^https?:/i.test(url)) return { openUrlAction: { url } };
  const phoneNumber = /^tel:(\+[1-9]\d{6,14})$/i.exec(url)?.[1];
  return phoneNumber === undefined ? undefined : { dialAction: { phoneNumber } };
}

function problemOfSuggestions(
  suggestions: readonly Suggestion[],
  isCard: boolean,
): Failure | undefined {
  for (const { text, postbackData } of suggestions) {
    const problem =
      tooLong('a button', text, rcsLimits.suggestionTextMax) ??
      tooLong('the data of a button', postbackData, rcsLimits.postbackMax, 'payload_too_large');
    if (problem !== undefined) return problem;
  }
  const max = rcsLimits.chipsMax + (isCard ? rcsLimits.cardSuggestionsMax : 0);
  if (suggestions.length <= max) return undefined;
  const words = `${suggestions.length} buttons, ${max} are allowed`;
  return failure('permanent', 'too_many_buttons', words);
}

function within(ttl: Seconds): Seconds {
  return Math.min(Math.max(ttl, rcsLimits.ttlSecondsMin), rcsLimits.ttlSecondsMax);
}

/** RCS allows no empty lists. */
function orNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
