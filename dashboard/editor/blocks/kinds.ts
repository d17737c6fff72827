// The fourteen kinds of blocks, in the order of the menu.

import type { BlockKind } from './kind.ts';
import { button } from './kinds/button.ts';
import { columns } from './kinds/columns.ts';
import { divider } from './kinds/divider.ts';
import { heading } from './kinds/heading.ts';
import { hero } from './kinds/hero.ts';
import { html } from './kinds/html.ts';
import { image } from './kinds/image.ts';
import { list } from './kinds/list.ts';
import { menu } from './kinds/menu.ts';
import { quote } from './kinds/quote.ts';
import { social } from './kinds/social.ts';
import { spacer } from './kinds/spacer.ts';
import { table } from './kinds/table.ts';
import { text } from './kinds/text.ts';
import { type Block, type Design, usualLook } from './model.ts';

export const blockKinds: readonly BlockKind[] = [
  heading,
  text,
  image,
  button,
  columns,
  list,
  quote,
  hero,
  table,
  menu,
  social,
  divider,
  spacer,
  html,
];

export function blockKindOf(id: string): BlockKind | undefined {
  return blockKinds.find((one) => one.id === id);
}

export function newBlock(kind: BlockKind, id: string): Block {
  return {
    id,
    kind: kind.id,
    values: kind.blank,
    ...(kind === columns ? { columns: [[], []] } : {}),
  };
}

export function newBlockId(): string {
  return crypto.randomUUID();
}

/** What a mail of blocks begins with. */
export function starterDesign(): Design {
  const blocks = [heading, text, button, divider, social];
  return {
    version: 1,
    look: usualLook,
    blocks: blocks.map((kind) => newBlock(kind, newBlockId())),
  };
}

/** A body that was written before, as one block. */
export function designOfHtml(body: string): Design {
  const block = { id: newBlockId(), kind: html.id, values: { code: body } };
  return { version: 1, look: usualLook, blocks: [block] };
}
