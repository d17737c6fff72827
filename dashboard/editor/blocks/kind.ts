// What a kind of block is: its fields, what it begins with, and its MJML.

import type { IconName } from '../../ui/icon-paths.ts';
import type { Block, BlockValue, DesignLook } from './model.ts';

type FieldKind =
  | 'line'
  | 'text'
  | 'html'
  | 'link'
  | 'image'
  | 'number'
  | 'color'
  | 'align'
  | 'level';

export interface BlockField {
  readonly key: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string;
}

export interface BlockKind {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly fields: readonly BlockField[];
  readonly blank: Readonly<Record<string, BlockValue>>;
  /** What stands in its row. */
  summary(block: Block): string;
  /** Within a column of MJML. */
  mjml(block: Block, look: DesignLook): string;
}

/** For the text of an element: Liquid stays, markup does not. */
export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;');
}

/** Paragraphs by empty lines, breaks by single ones; **bold**, *italic* and [links](https://…). */
export function richText(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((one) => `<p style="margin:0 0 12px">${inline(one)}</p>`)
    .join('');
}

export function inline(text: string): string {
  return escapeText(text)
    .replace(
      /\[([^\]\n]+)\]\(([^)\s]+)\)/g,
      (_, label: string, href: string) => `<a href="${href.replace(/"/g, '&quot;')}">${label}</a>`,
    )
    .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*\n]+)\*/g, '<em>$1</em>')
    .replace(/\n/g, '<br />');
}

/** Attributes of an element; empty ones are left out. */
export function attributes(values: Readonly<Record<string, BlockValue | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

/** The rows of a field with one a line: `label | address`. */
export function rowsOf(text: string): readonly (readonly [label: string, rest: string])[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.search(/\s\|\s/);
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 3).trim()];
    });
}
