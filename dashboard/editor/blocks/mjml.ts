// From a design to MJML, and back from MJML's HTML to a mail with its Liquid. Pure.

import { attributes, escapeText } from './kind.ts';
import { blockKindOf } from './kinds.ts';
import type { Block, Design, DesignLook } from './model.ts';

/** Where the server adds its own; it knows the same words. */
const endMark = '<!--engage:end-->';

interface Mjml {
  readonly source: string;
  /** Puts the Liquid back into what was made of the source. */
  restore(html: string): string;
}

/**
 * MJML must not see Liquid: it would escape its quotes and take its signs for markup. Each output
 * and tag is a word without meaning until the HTML is made.
 */
export function mjmlOf({ look, blocks, preheader = '' }: Design): Mjml {
  const kept: string[] = [];
  const mark = `lq${blocks.length}x`;
  const hide = (text: string) =>
    text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (liquid) => {
      kept.push(liquid);
      return `${mark}${kept.length - 1}z`;
    });
  const endWord = `${mark}end`;
  const hidden = blocks.map((block) => hiddenBlock(block, hide));
  const source = [
    '<mjml>',
    head(look, escapeText(hide(preheader))),
    `<mj-body${attributes({ width: `${look.width}px`, 'background-color': look.background })}>`,
    '<mj-wrapper padding="24px 0 0">',
    ...sections(hidden, look),
    section(`<mj-column>${end(endWord)}</mj-column>`, { ...look, surface: look.background }),
    '</mj-wrapper></mj-body></mjml>',
  ].join('\n');
  return {
    source,
    restore: (html) =>
      html
        .replace(endWord, endMark)
        .replace(new RegExp(`${mark}(\\d+)z`, 'g'), (_, nth: string) => kept[Number(nth)] ?? ''),
  };
}

function hiddenBlock(block: Block, hide: (text: string) => string): Block {
  const values = Object.fromEntries(
    Object.entries(block.values).map(([key, value]) => [
      key,
      typeof value === 'string' ? hide(value) : value,
    ]),
  );
  if (block.columns === undefined) return { ...block, values };
  const columns = block.columns.map((own) => own.map((one) => hiddenBlock(one, hide)));
  return { ...block, values, columns };
}

function head({ font, ink, accent }: DesignLook, preheader: string): string {
  return [
    '<mj-head><mj-attributes>',
    `<mj-all${attributes({ 'font-family': font })} />`,
    `<mj-text${attributes({ color: ink, 'font-size': '16px', 'line-height': '1.55', padding: '8px 25px' })} />`,
    `<mj-table${attributes({ color: ink, 'font-size': '16px' })} />`,
    `<mj-button${attributes({ 'background-color': accent, color: '#ffffff', 'font-size': '16px', 'border-radius': '6px', 'inner-padding': '12px 22px' })} />`,
    '<mj-image padding="8px 25px" />',
    '</mj-attributes>',
    preheader === '' ? '' : `<mj-preview>${preheader}</mj-preview>`,
    '</mj-head>',
  ].join('');
}

/** Blocks one below the other share a section; columns need one of their own. */
function sections(blocks: readonly Block[], look: DesignLook): readonly string[] {
  const made: string[] = [];
  let run: string[] = [];
  const close = () => {
    if (run.length > 0) made.push(section(`<mj-column>${run.join('')}</mj-column>`, look));
    run = [];
  };
  for (const block of blocks) {
    if (block.columns === undefined) {
      run.push(blockKindOf(block.kind)?.mjml(block, look) ?? '');
      continue;
    }
    close();
    const columns = block.columns.map(
      (own) =>
        `<mj-column>${own.map((one) => blockKindOf(one.kind)?.mjml(one, look) ?? '').join('')}</mj-column>`,
    );
    made.push(section(columns.join(''), look));
  }
  close();
  return made;
}

/** Below the card, where the server puts buttons of the message and the unsubscribe link. */
function end(word: string): string {
  return `<mj-text align="center" font-size="13px" color="#6b7280">${word}</mj-text>`;
}

function section(content: string, { surface }: DesignLook): string {
  return `<mj-section${attributes({ 'background-color': surface, padding: '12px 0' })}>${content}</mj-section>`;
}
