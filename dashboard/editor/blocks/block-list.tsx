// A list of blocks, whole or within a column. Blocks move by their buttons and by dragging.

import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { BlockFields } from './block-fields.tsx';
import type { FieldIssues } from './block-issues.ts';
import type { BlockTools } from './block-tools.ts';
import { blockKindOf, blockKinds, newBlock, newBlockId } from './kinds.ts';
import { type Block, type BlockPath, blocksAt, copyOf, insertBlock, movedTo } from './model.ts';
import { words } from './words.ts';

interface ListProps {
  readonly path: BlockPath;
  readonly tools: BlockTools;
}

export function BlockList({ path, tools }: ListProps) {
  const blocks = blocksAt(tools.design, path);
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const isInner = path.length > 0;
  const drop = () => {
    if (dragged !== undefined && over !== undefined)
      tools.set(path, movedTo(blocks, dragged, over));
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <div className="stack-tight">
      {blocks.length === 0 && <p className="soft">{isInner ? words.emptyColumn : words.empty}</p>}
      <ol className="blocks">
        {blocks.map((block, at) => (
          <li
            key={block.id}
            className={classNames('block', over === at && dragged !== undefined && 'over')}
            draggable={!tools.isReadOnly && tools.openId !== block.id}
            onDragStart={(event) => {
              event.stopPropagation();
              event.dataTransfer.effectAllowed = 'move';
              setDragged(at);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(at);
            }}
            onDragEnd={drop}
          >
            <BlockRow block={block} at={at} blocks={blocks} path={path} tools={tools} />
          </li>
        ))}
      </ol>
      {!tools.isReadOnly && (
        <div>
          <AddBlock
            isInner={isInner}
            onAdd={(block) => {
              tools.set(path, insertBlock(blocks, blocks.length, block));
              tools.open(block.id);
            }}
          />
        </div>
      )}
    </div>
  );
}

function BlockRow({
  block,
  at,
  blocks,
  path,
  tools,
}: ListProps & {
  readonly block: Block;
  readonly at: number;
  readonly blocks: readonly Block[];
}) {
  const kind = blockKindOf(block.kind);
  const isOpen = tools.openId === block.id;
  const label = kind?.label ?? block.kind;
  const issues = tools.issues.get(block.id);
  const set = (next: readonly Block[]) => tools.set(path, next);
  return (
    <>
      <div className="block-row">
        <button
          type="button"
          className="block-open"
          aria-expanded={isOpen}
          onClick={() => tools.open(isOpen ? undefined : block.id)}
          onKeyDown={(event) => {
            if (!event.altKey) return;
            const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
            if (by === 0) return;
            event.preventDefault();
            set(movedTo(blocks, at, at + by));
          }}
        >
          <Icon name={kind?.icon ?? 'help'} />
          <strong>{label}</strong>
          <span className="soft ellipsis">{kind?.summary(block) ?? words.unknown}</span>
          {issues !== undefined && !isOpen && <BlockProblem issues={issues} />}
        </button>
        {!tools.isReadOnly && (
          <BlockMenu label={label} block={block} at={at} blocks={blocks} set={set} />
        )}
      </div>
      {isOpen && kind !== undefined && kind.fields.length > 0 && (
        <div className="block-body">
          <BlockFields
            kind={kind}
            block={block}
            names={tools.names}
            issues={issues}
            isReadOnly={tools.isReadOnly}
            onChange={(next) => set(blocks.map((one) => (one.id === block.id ? next : one)))}
          />
        </div>
      )}
      {block.columns !== undefined && <BlockColumns block={block} tools={tools} />}
    </>
  );
}

function BlockColumns({ block, tools }: { readonly block: Block; readonly tools: BlockTools }) {
  return (
    <div className="block-columns">
      {block.columns?.map((_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is its name
        <section key={column} aria-label={words.column(column + 1)}>
          <h4>{words.column(column + 1)}</h4>
          <BlockList path={[block.id, column]} tools={tools} />
        </section>
      ))}
    </div>
  );
}

function BlockMenu({
  label,
  block,
  at,
  blocks,
  set,
}: {
  readonly label: string;
  readonly block: Block;
  readonly at: number;
  readonly blocks: readonly Block[];
  readonly set: (blocks: readonly Block[]) => void;
}) {
  return (
    <Menu
      trigger={<IconButton label={`${label}: ${words.open}`} icon="more" size="small" />}
      items={[
        {
          label: words.up,
          icon: 'up',
          hint: 'Alt ↑',
          onChoose: () => set(movedTo(blocks, at, at - 1)),
        },
        {
          label: words.down,
          icon: 'down',
          hint: 'Alt ↓',
          onChoose: () => set(movedTo(blocks, at, at + 1)),
        },
        {
          label: words.duplicate,
          icon: 'copy',
          onChoose: () => set(insertBlock(blocks, at + 1, copyOf(block, newBlockId))),
        },
        {
          label: words.remove,
          icon: 'trash',
          isDanger: true,
          onChoose: () => set(blocks.filter((one) => one.id !== block.id)),
        },
      ]}
    />
  );
}

/** In the row of a closed block: the first thing that is wrong in it. */
function BlockProblem({ issues }: { readonly issues: FieldIssues }) {
  const all = [...issues.values()].flat();
  const first = all.find(({ level }) => level === 'error') ?? all[0];
  return (
    <span className={first?.level === 'error' ? 'block-problem error' : 'block-problem'}>
      <Icon name="warning" />
      {first?.error}
    </span>
  );
}

function AddBlock({
  isInner,
  onAdd,
}: {
  readonly isInner: boolean;
  readonly onAdd: (block: Block) => void;
}) {
  return (
    <Menu
      trigger={
        <Button size="small" icon="plus">
          {words.add}
        </Button>
      }
      items={blockKinds
        .filter(({ id }) => !isInner || id !== 'columns')
        .map((kind) => ({
          label: kind.label,
          icon: kind.icon,
          onChoose: () => onAdd(newBlock(kind, newBlockId())),
        }))}
    />
  );
}
