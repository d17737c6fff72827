// The form of `payload.kakao`: an approved AlimTalk template and its variables. Pure. Checked on
// acceptance, when strings may contain Liquid, and again, rendered, when sending.

import { isObject, type MembersIn } from '../../is-object.ts';

interface KakaoTemplate {
  readonly templateId: string;
  /** The sending channel, if not the account's. */
  readonly senderKey?: string;
  /** By variable, as the template writes it: `#{name}`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `at` is a path within `payload.kakao`; empty for the whole value. */
interface TemplateProblem {
  readonly at: string;
  readonly problem: string;
}

/** Also what the edge knows; the first one tells such an object from others. */
export const kakaoMembers = { templateId: null, senderKey: null, variables: null } as const;

const keyMax = 128;
const variablesMax = 100;
const nameMax = 64;

/** The template, or the first problem. Other members are ignored. */
export function readKakaoTemplate(value: unknown): KakaoTemplate | TemplateProblem {
  if (!isObject(value)) return { at: '', problem: 'expected an object with templateId' };
  const { templateId, senderKey, variables: given }: MembersIn<typeof kakaoMembers> = value;
  if (!isKey(templateId))
    return { at: 'templateId', problem: `expected an approved template id, ${keyForm}` };
  if (senderKey !== undefined && !isKey(senderKey))
    return { at: 'senderKey', problem: `expected a KakaoTalk channel id, ${keyForm}` };
  const variables = readVariables(given);
  if ('at' in variables) return variables;
  return {
    templateId: templateId.trim(),
    ...(senderKey !== undefined && { senderKey: senderKey.trim() }),
    variables: variables.read,
  };
}

const keyForm = `1 to ${keyMax} characters without spaces`;

function isKey(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return isTemplate(value) || new RegExp(`^\\s*[\\x21-\\x7e]{1,${keyMax}}\\s*$`).test(value);
}

function readVariables(
  value: unknown,
): { readonly read: Readonly<Record<string, string>> } | TemplateProblem {
  if (value === undefined) return { read: {} };
  const at = 'variables';
  if (!isObject(value)) return { at, problem: 'expected an object whose values are strings' };
  const entries = Object.entries(value);
  if (entries.length > variablesMax) return { at, problem: `expected at most ${variablesMax}` };
  const read = new Map<string, string>();
  for (const [key, text] of entries) {
    const name = /^#\{(.*)\}$/.exec(key)?.[1] ?? key;
    if (!isName(name))
      return {
        at,
        problem: `expected names of 1 to ${nameMax} characters without dots and braces`,
      };
    if (typeof text !== 'string' && typeof text !== 'number' && typeof text !== 'boolean')
      return { at: `${at}.${name}`, problem: 'expected a string' };
    if (read.has(`#{${name}}`)) return { at: `${at}.${name}`, problem: 'appears twice' };
    read.set(`#{${name}}`, String(text));
  }
  return { read: Object.fromEntries(read) };
}

/** Solapi allows no dot in a name. */
function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= nameMax && !/[.{}\p{Cc}]/u.test(name);
}

function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}
