// The mail that asks whether an address wants what was signed up for: the app's template
// `double-opt-in`, else ours. It has nothing of the person's record: whoever signs up may be a
// stranger, who must neither read of the person nor write to the owner of the address.

import type { Context } from '../../../engine/actor/message.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import { escapeHtml } from '../../content/liquid/plain-filters.ts';
import { withTemplate } from '../../content/templates/copy.ts';
import { type OptInVariables, optInTemplate } from '../../content/templates/opt-in-template.ts';
import type { SendContent } from '../outbox/records.ts';
import type { SettledSend } from '../transactional/queue-send.ts';
import { renderTransactional } from '../transactional/render.ts';
import { optInWords } from './mail-words.ts';
import type { OptInView } from './memory.ts';

interface Asked {
  readonly url: string;
  /** Names of topics. */
  readonly topics: readonly string[];
  readonly language: string | undefined;
}

type Mail = Pick<SettledSend, 'content' | 'options' | 'templateId'>;

const targets = [{ channel: 'email' }] as const;

export function optInMail(
  app: OptInView,
  { id }: Pick<SubscriberRow, 'id'>,
  asked: Asked,
  context: Context,
): Mail {
  return templateMail(app, id, asked, context) ?? ownMail(app, asked);
}

/** `undefined` without a template, and for one that cannot be rendered: the mail must be sent. */
function templateMail(
  app: OptInView,
  id: string,
  { url, topics, language }: Asked,
  context: Context,
): Mail | undefined {
  const templateId = app.templates.get(optInTemplate);
  if (templateId === undefined) return undefined;
  const copied = withTemplate(app, { templateId }, {}, 'transactional', context);
  if ('fault' in copied) return undefined;
  const nobody = { id, tags: language === undefined ? {} : { language } };
  const variables: OptInVariables = {
    confirm_url: url,
    topics: topics.join(', '),
    app_name: app.record.name,
  };
  const { nowMs } = context;
  const request = { ...copied.content, channels: ['email' as const] };
  const rendered = renderTransactional(app.record, nobody, request, targets, nowMs, {
    ...variables,
  });
  if ('fault' in rendered || rendered.content.plain.title === undefined) return undefined;
  const { plain, email = plain } = rendered.content;
  const isWhole = [plain, email].every((one) => JSON.stringify(one).includes(url));
  if (!isWhole) return undefined;
  return { content: withoutWays({ plain, email }), options: rendered.options, templateId };
}

function ownMail({ record }: OptInView, { url, topics, language }: Asked): Mail {
  const words = optInWords(language);
  const fill = (text: string) => text.replaceAll('{app}', () => record.name);
  const lines = [
    fill(words.text),
    ...(topics.length === 0 ? [] : [topics.map((name) => `• ${name}`).join('\n')]),
    url,
    fill(words.ignore),
  ];
  const html = [
    `<p>${escapeHtml(fill(words.text))}</p>`,
    ...(topics.length === 0
      ? []
      : [`<ul>${topics.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`]),
    `<p><a class="e-button" href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(words.button)}</a></p>`,
    `<p>${escapeHtml(fill(words.ignore))}</p>`,
  ];
  const title = oneLine(fill(words.subject));
  const plain: RenderedContent = { title, body: lines.join('\n\n'), options: {} };
  const email: RenderedContent = { ...plain, body: html.join('\n') };
  return { content: withoutWays({ plain, email }), options: {} };
}

/** As the button of a message's link. */
const buttonStyle =
  'display:inline-block;margin:4px 0;padding:12px 20px;border-radius:6px;background:#111827;color:#ffffff;text-decoration:none';

/** Whoever ignores it gets nothing more, so there is nothing to unsubscribe from. */
function withoutWays({ plain, email }: Required<SendContent>): SendContent {
  return { plain, email: { ...email, unsubscribe: 'none' } };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
