// LINE's request, by content: text, an image and text, or a card with buttons. Pure. A card has
// four buttons, no links into apps, and 60 characters beneath a title or picture, 160 without. A
// message that does not fit becomes text, with its links beneath.

import { tooLong } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { buttonName, postbackOf } from '../port/postback.ts';
import { openLabel } from '../port/wording.ts';

/** Limits in UTF-16 code units and actions. */
const lineLimits = {
  textMax: 5_000,
  cardTitleMax: 40,
  /** Beneath a title or a picture. */
  cardCaptionMax: 60,
  cardTextMax: 160,
  cardActionsMax: 4,
  labelMax: 20,
  uriMax: 1_000,
} as const;

type Action =
  | { readonly type: 'uri'; readonly label: string; readonly uri: string }
  | {
      readonly type: 'postback';
      readonly label: string;
      readonly data: string;
      readonly displayText: string;
    };

/** The body for one person, group or room, or why there is none. */
export function lineMessage(attempt: Attempt): { readonly body: string } | Failure {
  const { body, title, options } = attempt.content;
  const words = title === undefined ? body : `${title}\n${body}`;
  const messages = cardOf(attempt, words) ?? textOf(attempt, words);
  const last = messages.at(-1);
  const problem = last?.type === 'text' && tooLong('the text', last.text, lineLimits.textMax);
  if (problem) return problem;
  return {
    body: JSON.stringify({
      to: attempt.endpoint,
      messages,
      notificationDisabled: options.sound === 'none' ? true : undefined,
    }),
  };
}

type Message =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly originalContentUrl: string;
      readonly previewImageUrl: string;
    }
  | {
      readonly type: 'template';
      readonly altText: string;
      readonly template: Readonly<Record<string, unknown>>;
    };

/** A card with or after its picture; `undefined` without actions, or if it does not fit. */
function cardOf(attempt: Attempt, words: string): readonly Message[] | undefined {
  const { title, body, deepLink } = attempt.content;
  const link = deepLink !== undefined && opens(deepLink) ? deepLink : undefined;
  const actions = actionsOf(attempt, link);
  if (actions.length === 0 || actions.length > lineLimits.cardActionsMax) return undefined;
  if (!actions.every(fits)) return undefined;
  const defaultAction = link === undefined ? undefined : openAction(attempt, link);
  if (defaultAction !== undefined && !fits(defaultAction)) return undefined;
  const card = (text: string, more: Readonly<Record<string, unknown>>): Message => ({
    type: 'template',
    altText: words,
    template: { type: 'buttons', ...more, text, defaultAction, actions },
  });

  const picture = pictureOf(attempt);
  const isBare = title === undefined && picture === undefined;
  const textMax = isBare ? lineLimits.cardTextMax : lineLimits.cardCaptionMax;
  if (body.length <= textMax && (title?.length ?? 0) <= lineLimits.cardTitleMax) {
    return [card(body, { thumbnailImageUrl: picture, title })];
  }
  if (words.length > lineLimits.cardTextMax) return undefined;
  return [...pictureMessages(picture), card(words, {})];
}

function textOf(attempt: Attempt, words: string): readonly Message[] {
  const { buttons = [], deepLink } = attempt.content;
  const links = buttons.flatMap(({ label, url }) =>
    url !== undefined && opens(url) ? [`${label}: ${url}`] : [],
  );
  if (deepLink !== undefined && opens(deepLink) && !buttons.some(({ url }) => url === deepLink)) {
    links.push(deepLink);
  }
  const text = links.length === 0 ? words : `${words}\n\n${links.join('\n')}`;
  return [...pictureMessages(pictureOf(attempt)), { type: 'text', text }];
}

/** The picture if it is https; LINE accepts no other. */
function pictureOf({ content }: Attempt): string | undefined {
  return content.image?.startsWith('https://') ? content.image : undefined;
}

/** The picture doubles as its own preview: we have one size. */
function pictureMessages(picture: string | undefined): readonly Message[] {
  if (picture === undefined) return [];
  return [{ type: 'image', originalContentUrl: picture, previewImageUrl: picture }];
}

/** A card's buttons in order. A card needs one, so a lone deep link becomes a button. */
function actionsOf(attempt: Attempt, link: string | undefined): readonly Action[] {
  const { buttons = [] } = attempt.content;
  const actions = buttons.flatMap((button, index): Action[] => {
    const { label, url } = button;
    if (url !== undefined) return opens(url) ? [{ type: 'uri', label, uri: url }] : [];
    const data = postbackOf(attempt, buttonName(button, index));
    return [{ type: 'postback', label, data, displayText: label }];
  });
  return actions.length === 0 && link !== undefined ? [openAction(attempt, link)] : actions;
}

function openAction(attempt: Attempt, uri: string): Action {
  return { type: 'uri', label: openLabel(attempt), uri };
}

/** Whether LINE opens the link; any other makes it refuse the whole message. */
function opens(url: string): boolean {
  return /^(?:https?|line|tel):/i.test(url);
}

function fits(action: Action): boolean {
  if (action.label.length > lineLimits.labelMax) return false;
  return action.type === 'postback' || action.uri.length <= lineLimits.uriMax;
}
