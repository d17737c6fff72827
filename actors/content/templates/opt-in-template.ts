// The template `double-opt-in`: an app's own words for the mail that asks for the confirmation of
// an address. It is tried when it is saved, because without its link nobody could confirm.

import type { Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { renderContext } from '../liquid/context.ts';
import { localize } from '../render/localize.ts';
import { renderContent } from '../render/render-message.ts';
import type { MessageContent } from '../shape/message-schema.ts';

/** Its handle. */
export const optInTemplate = 'double-opt-in';

/** What it may read, beside the language. */
export interface OptInVariables {
  readonly confirm_url: string;
  /** Names of topics, separated by commas; empty without any. */
  readonly topics: string;
  readonly app_name: string;
}

const tried: OptInVariables = {
  confirm_url: 'https://engage.invalid/confirm/a-token',
  topics: 'News',
  app_name: 'Acme',
};

/** The first language in which it would not do. */
export function optInTemplateFault(
  name: string,
  content: MessageContent,
  nowMs: Millis,
): Fault | undefined {
  if (name !== optInTemplate) return undefined;
  for (const language of [undefined, ...Object.keys(content.localizations ?? {})]) {
    const fault = faultIn(content, language, nowMs);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultIn(
  content: MessageContent,
  language: string | undefined,
  nowMs: Millis,
): Fault | undefined {
  const place = language === undefined ? '' : `localizations.${language}.`;
  const nobody = { id: '', tags: language === undefined ? {} : { language } };
  const context = renderContext(nobody, { name: tried.app_name }, { ...tried });
  const result = renderContent(localize(content, nobody.tags), context, {
    lane: 'transactional',
    email: true,
    nowMs,
  });
  if ('fault' in result) return result.fault;
  const { plain, email = plain } = result.rendered;
  if (email.title === undefined) return fieldFault(`${place}title`, 'required for email');
  if (hasLink(email)) return undefined;
  return fieldFault(
    `${place}body`,
    'expected {{ confirm_url }}, the link that confirms; this template may use confirm_url, topics and app_name',
  );
}

function hasLink({ body, buttons, deepLink }: MessageContent): boolean {
  const places = [body, deepLink, ...(buttons ?? []).map(({ url }) => url)];
  return places.some((text) => text?.includes(tried.confirm_url));
}
