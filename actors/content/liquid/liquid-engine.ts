// liquidjs restricted to an allow-list of tags and filters, with limits on templates. After
// parsing, a pass over the tree makes every cost visible to the budget: a range that starts at 2^53
// never ends (adding 1 changes nothing there), and a `case` with thousands of values is one node.

import {
  AssignTag,
  CaptureTag,
  type Context,
  defaultOperators,
  evalTokenValue,
  Liquid,
  LiquidError,
  type Template as LiquidNode,
  Parser,
  type RangeToken,
  Tag,
  Tokenizer,
  TokenKind,
  toValueSync,
} from 'liquidjs';
import { AssertionFailed, assert } from '../../../engine/base/assert.ts';
import { contentLimits } from '../shape/content-limits.ts';
import {
  MeteredContext,
  meteredContext,
  RefusedValue,
  type RenderSetup,
} from './liquid-context.ts';
import { chargeSearch, type Escape, escapeOutput, filterTable } from './liquid-filters.ts';
import { RunawayTemplate, tooManyItems } from './render-budget.ts';

const allowedTags = new Set([
  'assign',
  'capture',
  'case',
  'comment',
  'cycle',
  'for',
  'break',
  'continue',
  'if',
  'unless',
  'echo',
  'raw',
  '#',
]);

// Assigning an undefined name must not turn it into a silent nothing.
class StrictAssign extends AssignTag {
  override *render(ctx: Context): Generator<unknown, void, unknown> {
    ctx.bottom()[this['key']] = yield this['value'].value(ctx, false);
  }
}

class BoundedCapture extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const metered = meteredContext(ctx);
    const emitter = metered.emitter();
    yield this.liquid.renderer.renderTemplates(this.templates, ctx, emitter);
    metered.budget.use(emitter.buffer.length);
    ctx.bottom()[this.variable] = emitter.buffer;
  }
}

const engines: Readonly<Record<Escape, Liquid>> = { none: build('none'), html: build('html') };

function build(escaping: Escape): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    // `if` may test an unknown name, and `default` may replace it.
    lenientIf: true,
    ownPropertyOnly: true,
    dynamicPartials: false,
    relativeReference: false,
    locale: 'en-US',
    operators: meteredOperators(),
    ...(escaping === 'html' ? { outputEscape: escapeOutput } : undefined),
  });
  for (const name of Object.keys(engine.tags)) if (!allowedTags.has(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of filterTable(escaping)) engine.registerFilter(name, filter);
  engine.registerTag('assign', StrictAssign);
  engine.registerTag('capture', BoundedCapture);
  return engine;
}

function meteredOperators(): typeof defaultOperators {
  const operators: typeof defaultOperators = {};
  for (const [name, operator] of Object.entries(defaultOperators)) {
    operators[name] = (left: unknown, right: unknown, ctx: Context) => {
      // A unary operator gets its context second.
      const unary = ctx === undefined;
      const { budget } = meteredContext(unary ? (right as Context) : ctx);
      budget.spend(1);
      budget.charge(left);
      if (!unary) budget.charge(right);
      if (name === 'contains') chargeSearch(budget, left, right);
      return operator(left, right, ctx);
    };
  }
  return operators;
}

export type LiquidNodes = readonly LiquidNode[];

/** A sentence (`undefined variable: order_id`), and where in the source. */
export interface LiquidProblem {
  /** Names the place of a syntax error. */
  readonly problem: string;
  /** From 1; `said` is the sentence without it. */
  readonly place?: { readonly line: number; readonly column: number; readonly said: string };
}

export function parseLiquid(
  source: string,
  escaping: Escape,
): { readonly nodes: LiquidNodes } | LiquidProblem {
  const engine = engines[escaping];
  try {
    const tokens = new Tokenizer(source, engine.options.operators).readTopLevelTokens(
      engine.options,
    );
    const problem = shapeProblem(tokens);
    if (problem !== undefined) return { problem };
    const nodes = new Parser(engine).parseTokens(tokens);
    makeBounded(nodes, new Set());
    return { nodes };
  } catch (error) {
    return problemOf(error);
  }
}

export function renderLiquid(
  nodes: LiquidNodes,
  escaping: Escape,
  setup: RenderSetup,
): { readonly text: string } | LiquidProblem {
  const engine = engines[escaping];
  const context = new MeteredContext(engine, setup);
  const emitter = context.emitter();
  try {
    toValueSync(engine.renderer.renderTemplates([...nodes], context, emitter));
    return { text: emitter.buffer };
  } catch (error) {
    return problemOf(error);
  }
}

const blocks = new Set(['if', 'unless', 'for', 'case', 'capture']);

// Parsing and rendering recurse into blocks and brackets, so their depth is checked before: a stack
// overflow would depend on the caller's stack.
function shapeProblem(tokens: ReturnType<Tokenizer['readTopLevelTokens']>): string | undefined {
  let depth = 0;
  let tags = 0;
  let commented = false;
  for (const token of tokens) {
    if (token.kind !== TokenKind.Tag && token.kind !== TokenKind.Output) continue;
    const name = 'name' in token ? token.name : '';
    if (commented) {
      commented = name !== 'endcomment';
      continue;
    }
    commented = name === 'comment';
    if (++tags > contentLimits.tagsMax) return `more than ${contentLimits.tagsMax} tags`;
    if (blocks.has(name)) depth++;
    else if (name.startsWith('end') && blocks.has(name.slice(3))) depth--;
    if (
      depth > contentLimits.nestingMax ||
      bracketDepth(token.getText()) > contentLimits.nestingMax
    ) {
      return `nested more than ${contentLimits.nestingMax} levels deep`;
    }
  }
  return undefined;
}

function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '(' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === ')' || char === ']') depth--;
  }
  return deepest;
}

function makeBounded(node: unknown, seen: Set<object>): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  if (node instanceof Liquid || node instanceof Tokenizer) return;
  seen.add(node);
  if (isRange(node)) boundRange(node);
  else if (node instanceof Tag) weigh(node);
  for (const child of Object.values(node)) makeBounded(child, seen);
}

function isRange(node: object): node is RangeToken {
  return 'kind' in node && node.kind === TokenKind.Range;
}

// Replaces the token by a computed value; liquidjs evaluates it by calling `initial`.
function boundRange(range: RangeToken): void {
  const { lhs, rhs } = range;
  const initial = {
    postfix: [lhs, rhs],
    *evaluate(ctx: Context): Generator<unknown, number[], unknown> {
      const low = Number(yield evalTokenValue(lhs, ctx));
      const high = Number(yield evalTokenValue(rhs, ctx));
      const count = Math.ceil(high - low + 1);
      if (!(count > 0)) return [];
      if (count > contentLimits.itemsMax) throw tooManyItems();
      if (Math.abs(low) > Number.MAX_SAFE_INTEGER / 2)
        throw new RunawayTemplate('the range is too large');
      meteredContext(ctx).budget.spend(count);
      return Array.from({ length: count }, (_, i) => low + i);
    },
  };
  Object.assign(range, { kind: TokenKind.FilteredValue, initial, filters: [] });
}

// Charges what a tag evaluates beside operators, paths and filters: the conditions of its branches,
// the values of `when` and `cycle`, the arguments of `for`.
function weigh(tag: Tag): void {
  let weight = tag.token.args.length >> 5;
  if ('branches' in tag && Array.isArray(tag.branches)) {
    for (const branch of tag.branches)
      weight += 1 + (Array.isArray(branch.values) ? branch.values.length : 0);
  }
  if (weight === 0) return;
  const render = tag.render;
  tag.render = function (ctx, emitter) {
    meteredContext(ctx).budget.spend(weight);
    return render.call(this, ctx, emitter);
  };
}

const problemMax = 200;

function problemOf(error: unknown): LiquidProblem {
  if (error instanceof AssertionFailed) throw error;
  assert(error instanceof Error, 'only errors are thrown');
  let cause = error;
  while (LiquidError.is(cause) && cause.originalError !== undefined) cause = cause.originalError;
  if (cause instanceof AssertionFailed) throw cause;
  const [, reason = '', line, column] =
    /^([\s\S]*?)(?:, line:(\d+), col:(\d+))?$/.exec(error.message) ?? [];
  const problem = (LiquidError.is(cause) ? reason : cause.message)
    .replace(/^tag "(.*)" not found$/, 'undefined tag: $1')
    .slice(0, problemMax);
  const complete =
    cause instanceof RunawayTemplate ||
    cause instanceof RefusedValue ||
    /^undefined (variable|filter|tag): /.test(problem);
  if (line === undefined) return { problem };
  const place = { line: Number(line), column: Number(column), said: problem };
  if (complete) return { problem, place };
  return { problem: `${problem} (line ${line}, column ${column})`, place };
}
