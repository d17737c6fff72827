// The form of `payload.zalo`: one of Zalo's kinds of transaction message and the rows of its table.
// Pure. Checked on acceptance, when strings may contain Liquid, and again, rendered, when sending.

import { isObject, type MembersIn } from '../../is-object.ts';

interface ZaloTemplate {
  /** As `transaction_order`; Zalo's `template_type`. */
  readonly templateId: string;
  /** Rows of the table, in order. */
  readonly params: readonly (readonly [key: string, value: string])[];
}

/** `at` is a path within `payload.zalo`; empty for the whole value. */
interface TemplateProblem {
  readonly at: string;
  readonly problem: string;
}

/** Also what the edge knows; the first one tells such an object from others. */
export const zaloMembers = { templateId: null, params: null } as const;

const rowsMax = 20;
const keyMax = 100;

/** The template, or the first problem. Other members are ignored. */
export function readZaloTemplate(value: unknown): ZaloTemplate | TemplateProblem {
  if (!isObject(value)) return { at: '', problem: 'expected an object with templateId' };
  const { templateId, params = {} }: MembersIn<typeof zaloMembers> = value;
  if (typeof templateId !== 'string' || !isKind(templateId))
    return {
      at: 'templateId',
      problem: 'expected a kind of transaction message, such as transaction_order',
    };
  if (!isObject(params))
    return { at: 'params', problem: 'expected an object whose values are strings' };
  const rows = Object.entries(params);
  if (rows.length > rowsMax) return { at: 'params', problem: `expected at most ${rowsMax}` };
  const read: [string, string][] = [];
  for (const [key, text] of rows) {
    const at = `params.${key.slice(0, keyMax)}`;
    if (key.trim() === '' || key.length > keyMax)
      return { at, problem: `expected a name of 1 to ${keyMax} characters` };
    if (typeof text !== 'string' && typeof text !== 'number' && typeof text !== 'boolean')
      return { at, problem: 'expected a string' };
    read.push([key, String(text)]);
  }
  return { templateId: templateId.trim(), params: read };
}

function isKind(text: string): boolean {
  return (
    text.includes('{{') || text.includes('{%') || /^\s*transaction_[a-z_]{1,40}\s*$/.test(text)
  );
}
