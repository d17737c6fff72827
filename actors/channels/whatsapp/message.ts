// WhatsApp's request: the approved template in `payload.whatsapp`, or free text, which reaches only
// people who wrote to the business within the last day. Pure. Meta defines a template's text and
// buttons, so title, body, links and buttons are sent only as free text.

import { failure } from '../port/answers.ts';
import type { Attempt, RenderedContent } from '../port/attempt.ts';
import { linkButtons } from '../port/link-buttons.ts';
import type { Failure } from '../port/outcome.ts';
import { metaLanguage } from './languages.ts';
import {
  type ButtonParameter,
  type HeaderParameter,
  readWhatsAppTemplate,
  type WhatsAppTemplate,
} from './template.ts';

/** Limits in characters: free text, caption, and a template's header and body. */
const whatsappCharactersMax = { text: 4096, caption: 1024, header: 60, body: 1024 } as const;

/** The body for one E.164 number, or why there is none. */
export function whatsappMessage(
  attempt: Attempt,
  number: string,
): { readonly body: string } | Failure {
  const { content } = attempt;
  const template = content.payload?.['whatsapp'];
  const made = template === undefined ? freeText(attempt) : templateMessage(template, attempt);
  if ('outcome' in made) return made;
  return {
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: number.replace('+', ''),
      ...made,
      biz_opaque_callback_data: whatsappReference(attempt),
    }),
  };
}

/** `type`, and the field of that name. */
type Message =
  | { readonly type: 'text'; readonly text: object }
  | { readonly type: 'image'; readonly image: object }
  | { readonly type: 'template'; readonly template: object };

function freeText(attempt: Attempt): Message | Failure {
  const { image } = attempt.content;
  const words = wordsOf(attempt);
  const max = image === undefined ? whatsappCharactersMax.text : whatsappCharactersMax.caption;
  const tooLong = excess(words, max, image === undefined ? '' : ' beneath a picture');
  if (tooLong !== undefined) return tooLong;
  if (image !== undefined)
    return { type: 'image', image: { link: image, ...(words !== '' && { caption: words }) } };
  if (words === '') return failure('permanent', 'text_empty', 'there is nothing to show');
  return {
    type: 'text',
    text: { body: words, ...(/https?:\/\//.test(words) && { preview_url: true }) },
  };
}

/** Title, body and links. A title with a star is not bold: WhatsApp cannot escape it. */
function wordsOf(attempt: Attempt): string {
  const { content } = attempt;
  const title = content.title?.trim() ?? '';
  const bold = title === '' || title.includes('*') ? title : `*${title}*`;
  const body = content.body.trim();
  const links = linkButtons(attempt, /^https?:\/\//i)
    .filter(({ url, isDeepLink }) => isDeepLink !== true || !body.includes(url))
    .map(({ label, url, isDeepLink }) => (isDeepLink ? url : `${label}: ${url}`));
  const text = [bold, body].filter((part) => part !== '').join('\n');
  return [text, links.join('\n')].filter((part) => part !== '').join('\n\n');
}

function templateMessage(value: unknown, attempt: Attempt): Message | Failure {
  const template = readWhatsAppTemplate(value);
  if ('problem' in template) {
    const { at, problem } = template;
    const member = at === '' ? 'payload.whatsapp' : `payload.whatsapp.${at}`;
    return failure('permanent', 'template_invalid', `${member}: ${problem}`);
  }
  const { templateName } = template;
  const code = languageCodeOf(template, attempt);
  if (code === undefined)
    return failure(
      'permanent',
      'template_invalid',
      'payload.whatsapp.languageCode is missing, and neither the message nor the person has a language',
    );
  const components = componentsOf(template, attempt.content);
  if ('outcome' in components) return components;
  return {
    type: 'template',
    template: {
      name: templateName.trim(),
      language: { policy: 'deterministic', code },
      ...(components.length > 0 && { components }),
    },
  };
}

/** As given, in WhatsApp's form, else of the message's localization, else the person's. */
function languageCodeOf(
  { languageCode }: WhatsAppTemplate,
  { content, language }: Attempt,
): string | undefined {
  if (languageCode !== undefined) return languageCode.replaceAll('-', '_');
  const chosen = content.language ?? language;
  return chosen === undefined ? undefined : metaLanguage(chosen);
}

function componentsOf(
  { headerParams, bodyParams, buttonParams }: WhatsAppTemplate,
  content: RenderedContent,
): readonly object[] | Failure {
  const components: object[] = [];
  const header = parametersOf('headerParams', headerParams, (one) => headerOf(one, content));
  if ('outcome' in header) return header;
  if (header.length > 0) components.push({ type: 'header', parameters: header });
  const body = parametersOf('bodyParams', bodyParams, textOf);
  if ('outcome' in body) return body;
  if (body.length > 0) components.push({ type: 'body', parameters: body });
  // Each is a component with one parameter.
  const buttons = parametersOf('buttonParams', buttonParams, buttonOf);
  if ('outcome' in buttons) return buttons;
  components.push(...buttons);
  const headerText = headerParams.filter((one) => typeof one === 'string').map(oneLine);
  return (
    excess(headerText.join(''), whatsappCharactersMax.header, ' in the header') ??
    excess(bodyParams.map(oneLine).join(''), whatsappCharactersMax.body, ' in the body') ??
    components
  );
}

/** Parameters on the wire. Refuses an empty one: WhatsApp would not say which one it was. */
function parametersOf<T>(
  name: string,
  values: readonly T[],
  write: (value: T) => object | undefined,
): readonly object[] | Failure {
  const written: object[] = [];
  for (const [place, value] of values.entries()) {
    const parameter = write(value);
    if (parameter === undefined) {
      const words = `payload.whatsapp.${name}[${place}] is empty for this person`;
      return failure('permanent', 'template_parameter_empty', words);
    }
    written.push(parameter);
  }
  return written;
}

function headerOf(parameter: HeaderParameter, content: RenderedContent): object | undefined {
  if (typeof parameter === 'string') return textOf(parameter);
  const { type, filename } = parameter;
  const link = (parameter.link ?? content.image)?.trim() ?? '';
  if (!/^https?:\/\/\S+$/i.test(link)) return undefined;
  const isNamed = type === 'document' && filename !== undefined && filename.trim() !== '';
  return { type, [type]: { link, ...(isNamed && { filename: filename.trim() }) } };
}

function textOf(value: string): object | undefined {
  const text = oneLine(value);
  return text === '' ? undefined : { type: 'text', text };
}

function buttonOf({ index, type, text }: ButtonParameter): object | undefined {
  const value = oneLine(text);
  if (value === '') return undefined;
  const parameter = {
    url: { type: 'text', text: value },
    quick_reply: { type: 'payload', payload: value },
    copy_code: { type: 'coupon_code', coupon_code: value },
  }[type];
  return { type: 'button', sub_type: type, index: String(index), parameters: [parameter] };
}

/** WhatsApp's rule: no line break, no tab, at most four spaces in a row. */
function oneLine(text: string): string {
  return text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(/ {5,}/g, '    ')
    .trim();
}

function excess(text: string, max: number, where: string): Failure | undefined {
  if (text.length <= max) return undefined;
  const characters = [...text].length;
  if (characters <= max) return undefined;
  return failure(
    'permanent',
    'text_too_long',
    `${characters} characters${where}, ${max} are allowed`,
  );
}

/**
 * `<send id>:<device id>`, about 60 of WhatsApp's 512 characters; neither id has a colon. WhatsApp
 * returns it in each status, so that a status finds its send even before the response with the
 * message id.
 */
function whatsappReference({ sendId, deviceId }: Attempt): string {
  return `${sendId}:${deviceId}`;
}
