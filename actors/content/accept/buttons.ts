// Normalizes buttons to `{id?, label, url?}`, in order; other services' names for label and link
// are accepted. A button without a link opens the app. Links are checked here and again when
// rendered, because a tag's value may change them.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { Button } from '../../channels/port/attempt.ts';
import { compile } from '../liquid/render.ts';
import { contentLimits } from '../shape/content-limits.ts';
import { isTemplate } from '../shape/is-template.ts';
import { checkLink, linkSourceProblem } from '../shape/link.ts';

const labelNames = ['label', 'text', 'title'] as const;
const linkNames = ['url', 'link', 'deepLink', 'href'] as const;
/** Members of a button as it is sent. */
export const buttonNames = ['id', ...labelNames, ...linkNames] as const;

/**
 * The normal form of incoming buttons. Faults name the member (`buttons[1].url: javascript: links
 * are not allowed`). At most 5 buttons; a rendered label has 1 to 80 characters; ids are unique, of
 * letters, digits, `_`, `.`, `-`, at most 64.
 */
export function normalizeButtons(
  input: readonly unknown[],
  field = 'buttons',
): { readonly buttons: readonly Button[] } | { readonly fault: Fault } {
  if (input.length > contentLimits.buttonsMax) {
    return { fault: fieldFault(field, `at most ${contentLimits.buttonsMax} buttons`) };
  }
  const buttons: Button[] = [];
  const ids = new Set<string>();
  for (const [i, item] of input.entries()) {
    const at = `${field}[${i}]`;
    if (typeof item !== 'object' || item === null)
      return { fault: fieldFault(at, 'expected an object') };
    const members = new Map<string, unknown>(Object.entries(item));
    const label = firstOf(members, labelNames);
    const link = firstOf(members, linkNames);
    const id = members.get('id');
    if (typeof label !== 'string' || label.trim() === '') {
      return { fault: fieldFault(`${at}.label`, 'a button needs a label') };
    }
    const labelProblem = labelSourceProblem(label);
    if (labelProblem !== undefined) return { fault: fieldFault(`${at}.label`, labelProblem) };
    if (link !== undefined) {
      const problem =
        typeof link === 'string' ? linkSourceProblem(link, 'link') : 'expected a string';
      if (problem !== undefined) return { fault: fieldFault(`${at}.url`, problem) };
    }
    if (id !== undefined && (typeof id !== 'string' || !/^[\w.-]{1,64}$/.test(id) || ids.has(id))) {
      return { fault: fieldFault(`${at}.id`, 'expected a unique id of letters, digits, _ . -') };
    }
    if (id !== undefined) ids.add(id);
    buttons.push({
      ...(id === undefined ? undefined : { id }),
      label: label.trim(),
      ...(typeof link === 'string' ? { url: normalUrl(link) } : undefined),
    });
  }
  return { buttons };
}

/** Checks a rendered button. In a lenient render, `undefined` if label or link are empty. */
export function checkRenderedButton(
  button: Button,
  field: string,
  strict: boolean,
): { readonly button: Button | undefined } | { readonly fault: Fault } {
  const { id, label, url } = button;
  if (label.trim() === '') {
    if (!strict) return { button: undefined };
    return { fault: fieldFault(`${field}.label`, 'renders to nothing') };
  }
  if (label.length > contentLimits.buttonLabelMax) {
    return {
      fault: fieldFault(`${field}.label`, `at most ${contentLimits.buttonLabelMax} characters`),
    };
  }
  const base = { ...(id === undefined ? undefined : { id }), label: label.trim() };
  if (url === undefined) return { button: base };
  if (url.trim() === '') {
    if (!strict) return { button: undefined };
    return { fault: fieldFault(`${field}.url`, 'renders to nothing') };
  }
  const checked = checkLink(url, 'link');
  if ('problem' in checked) return { fault: fieldFault(`${field}.url`, checked.problem) };
  return { button: { ...base, url: checked.url } };
}

function firstOf(members: ReadonlyMap<string, unknown>, names: readonly string[]): unknown {
  return names.map((name) => members.get(name)).find((value) => value !== undefined);
}

function labelSourceProblem(label: string): string | undefined {
  if (isTemplate(label)) {
    const compiled = compile(label);
    return 'problem' in compiled ? compiled.problem : undefined;
  }
  return label.trim().length > contentLimits.buttonLabelMax
    ? `at most ${contentLimits.buttonLabelMax} characters`
    : undefined;
}

function normalUrl(link: string): string {
  if (isTemplate(link)) return link;
  const checked = checkLink(link, 'link');
  return 'url' in checked ? checked.url : link;
}
