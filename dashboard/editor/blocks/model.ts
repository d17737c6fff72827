// The design of a mail: a list of blocks, and how the whole looks. It is saved beside the message
// as JSON, so it holds nothing but values. Pure.

export interface Block {
  readonly id: string;
  readonly kind: string;
  /** Members by the fields of the kind. */
  readonly values: Readonly<Record<string, BlockValue>>;
  /** Of the kind `columns`: the blocks in each. */
  readonly columns?: readonly (readonly Block[])[];
}

export type BlockValue = string | number;

export interface DesignLook {
  readonly background: string;
  readonly surface: string;
  readonly ink: string;
  readonly accent: string;
  readonly font: string;
  readonly width: number;
}

export interface Design {
  readonly version: 1;
  readonly look: DesignLook;
  /** What an inbox shows behind the subject. */
  readonly preheader?: string;
  readonly blocks: readonly Block[];
}

export const usualLook: DesignLook = {
  background: '#f4f5f7',
  surface: '#ffffff',
  ink: '#1f2430',
  accent: '#3b49c9',
  font: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Arial, sans-serif",
  width: 600,
};

/** `undefined` for what is no design of this editor. */
export function designOf(value: Readonly<Record<string, unknown>> | undefined): Design | undefined {
  if (value?.['version'] !== 1 || !Array.isArray(value['blocks'])) return undefined;
  const look = { ...usualLook, ...(value['look'] as object | undefined) };
  const { preheader } = value;
  return {
    version: 1,
    look,
    ...(typeof preheader === 'string' ? { preheader } : {}),
    blocks: value['blocks'].filter(isBlock),
  };
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, values } = value as Partial<Block>;
  return typeof id === 'string' && typeof kind === 'string' && typeof values === 'object';
}

/** Where a list of blocks is: the design's own, or a column of a block. */
export type BlockPath = readonly [] | readonly [blockId: string, column: number];

export function blocksAt(design: Design, path: BlockPath): readonly Block[] {
  const [id, column] = path;
  if (id === undefined) return design.blocks;
  return design.blocks.find((one) => one.id === id)?.columns?.[column ?? 0] ?? [];
}

export function withBlocksAt(design: Design, path: BlockPath, blocks: readonly Block[]): Design {
  const [id, column] = path;
  if (id === undefined) return { ...design, blocks };
  return {
    ...design,
    blocks: design.blocks.map((one) =>
      one.id === id
        ? { ...one, columns: one.columns?.map((own, nth) => (nth === column ? blocks : own)) ?? [] }
        : one,
    ),
  };
}

export function insertBlock(list: readonly Block[], at: number, block: Block): readonly Block[] {
  return [...list.slice(0, at), block, ...list.slice(at)];
}

export function movedTo(list: readonly Block[], from: number, to: number): readonly Block[] {
  const block = list[from];
  if (block === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, nth) => nth !== from);
  return insertBlock(rest, to, block);
}

/** A copy with ids of its own, as those of its columns. */
export function copyOf(block: Block, makeId: () => string): Block {
  return {
    ...block,
    id: makeId(),
    ...(block.columns === undefined
      ? {}
      : { columns: block.columns.map((own) => own.map((one) => copyOf(one, makeId))) }),
  };
}

export function textValue({ values }: Block, key: string): string {
  const value = values[key];
  return value === undefined ? '' : String(value);
}
