// The form of `payload.whatsapp`: an approved template and its parameters. Pure. Checked on
// acceptance, when strings may contain Liquid, and again, rendered, when sending. Sources:
// specification, "Message"; Meta's Cloud API, template components.

import { isObject, type MembersIn } from '../../is-object.ts';

/** A header's text, or its media. An image without `link` is the message's own. */
export type HeaderParameter =
  | string
  | {
      readonly type: (typeof mediaTypes)[number];
      readonly link?: string;
      readonly filename?: string;
    };

/** For the button at `index`: its URL's end, the payload when pressed, or a code to copy. */
export interface ButtonParameter {
  readonly index: number;
  readonly type: (typeof buttonTypes)[number];
  readonly text: string;
}

export interface WhatsAppTemplate {
  readonly templateName: string;
  /** Absent for the language of the message or the person. */
  readonly languageCode?: string;
  readonly headerParams: readonly HeaderParameter[];
  readonly bodyParams: readonly string[];
  readonly buttonParams: readonly ButtonParameter[];
}

/** `at` is a path within `payload.whatsapp`; empty for the whole value. */
interface TemplateProblem {
  readonly at: string;
  readonly problem: string;
}

const mediaTypes = ['image', 'video', 'document'] as const;
const buttonTypes = ['url', 'quick_reply', 'copy_code'] as const;
/** Also what the edge knows; the first one tells such an object from others. */
export const whatsappMembers = {
  templateName: null,
  languageCode: null,
  headerParams: { type: null, link: null, filename: null },
  bodyParams: null,
  buttonParams: { type: null, text: null, index: null },
} as const;
type Members = typeof whatsappMembers;

const nameMax = 512;
/** Per part; Meta usually allows fewer. */
const paramsMax = 100;
/** A template has at most ten buttons. */
const buttonsMax = 10;

/** The template, or the first problem. Other members are ignored. */
export function readWhatsAppTemplate(value: unknown): WhatsAppTemplate | TemplateProblem {
  if (!isObject(value)) return { at: '', problem: 'expected an object with templateName' };
  const template: MembersIn<Members> = value;
  const { templateName, languageCode } = template;
  if (
    typeof templateName !== 'string' ||
    templateName.trim() === '' ||
    templateName.length > nameMax
  )
    return {
      at: 'templateName',
      problem: `expected the name of an approved template, 1 to ${nameMax} characters`,
    };
  if (
    languageCode !== undefined &&
    (typeof languageCode !== 'string' ||
      !/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/.test(languageCode))
  )
    return { at: 'languageCode', problem: 'expected a language code, such as en_US' };
  const headerParams = readList(template, 'headerParams', paramsMax, 'texts or media', readHeader);
  if ('problem' in headerParams) return headerParams;
  const bodyParams = readList(template, 'bodyParams', paramsMax, 'strings', readText);
  if ('problem' in bodyParams) return bodyParams;
  const buttonParams = readList(
    template,
    'buttonParams',
    buttonsMax,
    'texts or objects',
    readButton,
  );
  if ('problem' in buttonParams) return buttonParams;
  return {
    templateName,
    ...(languageCode !== undefined && { languageCode }),
    headerParams,
    bodyParams,
    buttonParams,
  };
}

type Read<T> = { readonly value: T } | { readonly expected: string };

function readList<T>(
  template: MembersIn<Members>,
  name: keyof Members,
  max: number,
  what: string,
  read: (element: unknown, place: number) => Read<T>,
): T[] | TemplateProblem {
  const list = template[name];
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length > max)
    return { at: name, problem: `expected a list of at most ${max} ${what}` };
  const values: T[] = [];
  for (const [place, element] of list.entries()) {
    const one = read(element, place);
    if ('expected' in one) return { at: `${name}[${place}]`, problem: `expected ${one.expected}` };
    values.push(one.value);
  }
  return values;
}

function readText(element: unknown): Read<string> {
  return typeof element === 'string' ? { value: element } : { expected: 'a string' };
}

function readHeader(element: unknown): Read<HeaderParameter> {
  if (typeof element === 'string') return { value: element };
  const expected = 'a string, or an object with type image, video or document, and link';
  if (!isObject(element)) return { expected };
  const { type: given, link, filename }: MembersIn<Members['headerParams']> = element;
  const type = mediaTypes.find((one) => one === given);
  if (type === undefined || !isOptionalText(link) || !isOptionalText(filename)) return { expected };
  if (link === undefined && type !== 'image')
    return { expected: `a link to the ${type}, https: or http:` };
  if (link !== undefined && !isTemplate(link) && !/^https?:\/\/\S+$/i.test(link.trim()))
    return { expected: 'a link that begins with https: or http:' };
  return {
    value: {
      type,
      ...(link !== undefined && { link }),
      ...(filename !== undefined && { filename }),
    },
  };
}

function readButton(element: unknown, place: number): Read<ButtonParameter> {
  if (typeof element === 'string') return { value: { index: place, type: 'url', text: element } };
  const expected =
    "a string, or an object with type url, quick_reply or copy_code, text, and index if it is not the button's position";
  if (!isObject(element)) return { expected };
  const { type: given, text, index = place }: MembersIn<Members['buttonParams']> = element;
  const type = buttonTypes.find((one) => one === given);
  if (type === undefined || typeof text !== 'string') return { expected };
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= buttonsMax)
    return { expected: `an index from 0 to ${buttonsMax - 1}` };
  return { value: { index, type, text } };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}
