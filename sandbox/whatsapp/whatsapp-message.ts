// The messages that WhatsApp's Cloud API accepts, and its refusals: fields, rules of text and
// parameters, filled placeholders. Only registered templates are checked against their text.

import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from '../json.ts';

/** In Meta's code, title and details. */
interface MessageProblem {
  readonly code: number;
  readonly title: string;
  readonly details: string;
}

/** An approved template; `{{1}}` is a placeholder. */
export interface RegisteredTemplate {
  readonly name: string;
  readonly language: string;
  readonly body: string;
  readonly header?: string | undefined;
}

/** By `templateKey`. */
export type Templates = ReadonlyMap<string, RegisteredTemplate>;

export function templateKey(name: string, language: string): string {
  return `${name} ${language}`;
}

/** The highest number in `{{1}}`, `{{2}}` … */
function placesIn(text: string): number {
  return Math.max(
    0,
    ...[...text.matchAll(/\{\{(\d{1,2})\}\}/g)].map(([, number]) => Number(number)),
  );
}

const textMax = 4_096;
const captionMax = 1_024;
const referenceMax = 512;

// biome-ignore format: a table reads better packed
const membersOf: Readonly<Record<string, readonly string[]>> = {
  '': ['messaging_product', 'recipient_type', 'to', 'type', 'text', 'image', 'template', 'context', 'biz_opaque_callback_data'],
  text: ['body', 'preview_url'],
  image: ['link', 'id', 'caption'],
  template: ['name', 'language', 'components'],
  'template.language': ['code', 'policy'],
  'template.components': ['type', 'sub_type', 'index', 'parameters'],
};

/** The first problem of a body, or `undefined`. */
export function problemOfWhatsAppMessage(
  request: unknown,
  templates: Templates,
): MessageProblem | undefined {
  if (!isJsonObject(request)) return invalid('The body is not a JSON object');
  const type = request['type'] ?? 'text';
  return (
    problemOfMembers('', request) ??
    problemOfAddress(request) ??
    (type === 'text'
      ? problemOfText(request['text'])
      : type === 'image'
        ? problemOfImage(request['image'])
        : type === 'template'
          ? problemOfTemplate(request['template'], templates)
          : { code: 131051, title: 'Unsupported message type', details: `Type ${String(type)}` })
  );
}

function problemOfAddress(request: JsonObject): MessageProblem | undefined {
  const { to, recipient_type: recipient, biz_opaque_callback_data: reference } = request;
  if (request['messaging_product'] !== 'whatsapp')
    return invalid('The parameter messaging_product is required.');
  if (recipient !== undefined && recipient !== 'individual')
    return invalid('recipient_type must be individual');
  if (to === undefined) return missing('to');
  if (typeof to !== 'string' || !/^\+?[1-9]\d{6,14}$/.test(to)) return badValue('to');
  if (
    reference !== undefined &&
    !(typeof reference === 'string' && [...reference].length <= referenceMax)
  )
    return invalid(
      `Param biz_opaque_callback_data must be at most ${referenceMax} characters long.`,
    );
  return undefined;
}

function problemOfText(text: unknown): MessageProblem | undefined {
  const wrong = problemOfObject('text', text);
  if (wrong) return wrong;
  const { body, preview_url: preview } = objectOrEmpty(text);
  if (typeof body !== 'string' || body.trim() === '') return missing("text['body']");
  if ([...body].length > textMax)
    return invalid(`Param text['body'] must be at most ${textMax} characters long.`);
  return preview === undefined || typeof preview === 'boolean'
    ? undefined
    : invalid("Param text['preview_url'] must be a boolean.");
}

function problemOfImage(image: unknown): MessageProblem | undefined {
  const wrong = problemOfObject('image', image);
  if (wrong) return wrong;
  const { link, id, caption } = objectOrEmpty(image);
  if ((link === undefined) === (id === undefined)) return missing('image.link or image.id');
  if (link !== undefined && !isWebAddress(link)) return badValue("image['link']");
  if (caption === undefined) return undefined;
  return typeof caption === 'string' && [...caption].length <= captionMax
    ? undefined
    : invalid(`Param image['caption'] must be at most ${captionMax} characters long.`);
}

function problemOfTemplate(template: unknown, templates: Templates): MessageProblem | undefined {
  const wrong =
    problemOfObject('template', template) ??
    problemOfObject('template.language', objectOrEmpty(template)['language']);
  if (wrong) return wrong;
  const { name, language, components = [] } = objectOrEmpty(template);
  const { code, policy } = objectOrEmpty(language);
  if (typeof name !== 'string' || name === '') return missing("template['name']");
  if (typeof code !== 'string' || !/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(code))
    return badValue("template['language']['code']");
  if (policy !== undefined && policy !== 'deterministic')
    return badValue("template['language']['policy']");
  if (!Array.isArray(components)) return badValue("template['components']");
  for (const component of components as unknown[]) {
    const problem = problemOfComponent(component);
    if (problem) return problem;
  }
  return (
    problemOfName(name, code) ?? problemOfPlaces(templates.get(templateKey(name, code)), components)
  );
}

/** Names that stand for template states. */
function problemOfName(name: string, code: string): MessageProblem | undefined {
  if (!/^[a-z0-9_]{1,512}$/.test(name) || name.startsWith('missing'))
    return {
      code: 132001,
      title: 'Template name does not exist in the translation',
      details: `template name (${name}) does not exist in ${code}`,
    };
  if (name.startsWith('paused'))
    return { code: 132015, title: 'Template is paused', details: 'due to low quality' };
  if (name.startsWith('disabled'))
    return { code: 132016, title: 'Template is disabled', details: 'due to low quality' };
  return undefined;
}

function problemOfComponent(component: unknown): MessageProblem | undefined {
  const wrong = problemOfObject('template.components', component);
  if (wrong) return wrong;
  const { type, sub_type: kind, index, parameters } = objectOrEmpty(component);
  if (type !== 'header' && type !== 'body' && type !== 'button')
    return badValue("template['components']['type']");
  if (!Array.isArray(parameters) || parameters.length === 0)
    return missing("template['components']['parameters']");
  if (type === 'button') {
    if (kind !== 'url' && kind !== 'quick_reply' && kind !== 'copy_code')
      return badValue("template['components']['sub_type']");
    if (!/^\d$/.test(String(index))) return badValue("template['components']['index']");
  }
  for (const parameter of parameters as unknown[]) {
    const problem = problemOfParameter(type, objectOrEmpty(parameter));
    if (problem) return problem;
  }
  return undefined;
}

function problemOfParameter(component: string, parameter: JsonObject): MessageProblem | undefined {
  const { type } = parameter;
  switch (type) {
    case 'text': {
      const { text } = parameter;
      if (typeof text !== 'string' || text === '') return missing("parameters['text']");
      return /[\n\r\t]| {5}/.test(text)
        ? invalid(
            'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
          )
        : undefined;
    }
    case 'image':
    case 'video':
    case 'document':
      if (component !== 'header') return badFormat(`a ${type} in the ${component}`);
      return isWebAddress(objectOrEmpty(parameter[type])['link'])
        ? undefined
        : missing(`parameters['${type}']['link']`);
    case 'payload':
    case 'coupon_code':
      if (component !== 'button') return badFormat(`a ${type} in the ${component}`);
      return textOf(parameter[type]) === undefined ? missing(`parameters['${type}']`) : undefined;
    default:
      return badValue("parameters['type']");
  }
}

function problemOfPlaces(
  template: RegisteredTemplate | undefined,
  components: readonly unknown[],
): MessageProblem | undefined {
  if (template === undefined) return undefined;
  for (const part of ['header', 'body'] as const) {
    const text = template[part];
    if (text === undefined) continue;
    const wanted = placesIn(text);
    const given = parametersOf(components, part).length;
    if (given !== wanted)
      return {
        code: 132000,
        title: 'Number of parameters does not match the expected number of params',
        details: `${part}: number of localizable_params (${given}) does not match the expected number of params (${wanted})`,
      };
  }
  return undefined;
}

/** Of a template's header or body. */
export function parametersOf(components: unknown, part: 'header' | 'body'): readonly JsonObject[] {
  const all: unknown[] = Array.isArray(components) ? components : [];
  const found = objectOrEmpty(all.find((one) => objectOrEmpty(one)['type'] === part));
  const parameters: unknown[] = Array.isArray(found['parameters']) ? found['parameters'] : [];
  return parameters.map(objectOrEmpty);
}

function problemOfObject(place: string, value: unknown): MessageProblem | undefined {
  if (!isJsonObject(value)) return missing(place);
  return problemOfMembers(place, value);
}

function problemOfMembers(place: string, object: JsonObject): MessageProblem | undefined {
  for (const name in object) {
    if (!membersOf[place]?.includes(name))
      return invalid(`Unexpected key "${name}"${place === '' ? '' : ` on param "${place}"`}.`);
  }
  return undefined;
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s]+$/i.test(value);
}

function invalid(details: string): MessageProblem {
  return { code: 100, title: 'Invalid parameter', details };
}

function missing(name: string): MessageProblem {
  return { code: 131008, title: 'Required parameter is missing', details: `Parameter ${name}` };
}

function badValue(name: string): MessageProblem {
  return { code: 131009, title: 'Parameter value is not valid', details: `Parameter ${name}` };
}

function badFormat(details: string): MessageProblem {
  return {
    code: 132012,
    title: 'Parameter format does not match format in the created template',
    details,
  };
}
