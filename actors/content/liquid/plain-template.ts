// The fast path: compiles templates of text and outputs only to closures. It never decides an
// error: for anything unusual (an unknown name in a strict render, an object, a list, a long text
// before a filter) it returns `undefined`, and liquidjs renders from the start. Output must equal
// liquidjs's (test/actors/content/liquid/plain-template.test.ts).

import { type Filter, Output, type PropertyAccessToken, type Token, TokenKind } from 'liquidjs';
import { contentLimits } from '../shape/content-limits.ts';
import { isBuiltIn, type RenderContext } from './context.ts';
import type { LiquidNodes } from './liquid-engine.ts';
import type { Escape } from './liquid-filters.ts';
import {
  type Apply,
  doubt,
  escapeHtml,
  isPlain,
  type Plain,
  plainFilters,
  type Value,
} from './plain-filters.ts';

export interface PlainTemplate {
  /** The steps that liquidjs takes for the same template, in every render. */
  readonly steps: number;
  readonly reads: PersonReads;
  /** The text, or `undefined` if liquidjs must decide. */
  readonly render: (
    context: RenderContext,
    strict: boolean,
    outputMax: number,
  ) => string | undefined;
}

/** All that a template's renders read of a person, liquidjs's included. */
export interface PersonReads {
  readonly tags: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
}

interface Reads {
  readonly tags: Set<string>;
  readonly members: Set<string>;
}

type Read = (context: RenderContext) => Value;

// These keep a fast render far below the budget, so that it need not count.
const filtersMax = 32;
const filteredMax = 4_096;

/** `undefined` if the nodes have anything but text and plain outputs. */
export function compilePlain(nodes: LiquidNodes, escaping: Escape): PlainTemplate | undefined {
  const texts: string[] = [''];
  const outputs: OutputPlan[] = [];
  const reads: Reads = { tags: new Set(), members: new Set() };
  let steps = 1 + nodes.length;
  let filters = 0;
  for (const node of nodes) {
    if (node instanceof Output) {
      const plan = compileOutput(node, escaping, reads);
      if (plan === undefined) return undefined;
      steps += plan.steps;
      filters += plan.filters.length;
      outputs.push(plan);
      texts.push('');
    } else if ('str' in node && typeof node.str === 'string') {
      texts[texts.length - 1] += node.str;
    } else return undefined;
  }
  if (filters > filtersMax || steps > contentLimits.stepsMax) return undefined;
  return { steps, reads, render: renderer(texts, outputs.map(writer)) };
}

// 360 characters with five outputs: 0.2 us (bench/render.ts), against 10 us in liquidjs.
function renderer(texts: readonly string[], writers: readonly Write[]): PlainTemplate['render'] {
  return (context, strict, outputMax) => {
    let text = texts[0] as string;
    for (let i = 0; i < writers.length; i++) {
      const piece = (writers[i] as Write)(context, strict);
      if (piece === undefined) return undefined;
      text += piece + (texts[i + 1] as string);
      if (text.length > outputMax) return undefined;
    }
    return text.length > outputMax ? undefined : text;
  };
}

interface OutputPlan {
  readonly read: Read;
  readonly filters: readonly { readonly apply: Apply; readonly args: readonly Read[] }[];
  /** The first filter is `default`, which may replace an unknown name. */
  readonly defaulted: boolean;
  readonly escaped: boolean;
  readonly steps: number;
}

type Write = (context: RenderContext, strict: boolean) => string | undefined;

function writer({ read, filters, defaulted, escaped }: OutputPlan): Write {
  if (filters.length === 0) {
    return (context, strict) => {
      const value = read(context);
      if (typeof value === 'string') return escaped ? escapeHtml(value) : value;
      if (value === undefined) return strict ? undefined : '';
      return value === doubt ? undefined : String(value);
    };
  }
  return (context, strict) => {
    let value = read(context);
    if (value === undefined && strict && !defaulted) return undefined;
    for (const { apply, args } of filters) {
      if (value === doubt) return undefined;
      if (typeof value === 'string' && value.length > filteredMax) return undefined;
      const values = args.length === 0 ? noArgs : readArgs(args, context);
      if (values === undefined) return undefined;
      value = apply(value, values);
      if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
    }
    if (value === doubt) return undefined;
    const text = value === undefined ? '' : String(value);
    return escaped ? escapeHtml(text) : text;
  };
}

const noArgs: readonly Plain[] = [];

function readArgs(args: readonly Read[], context: RenderContext): readonly Plain[] | undefined {
  const values: Plain[] = [];
  for (const arg of args) {
    const value = arg(context);
    if (value === undefined || value === doubt) return undefined;
    if (typeof value === 'string' && value.length > filteredMax) return undefined;
    values.push(value);
  }
  return values;
}

function compileOutput(node: Output, escaping: Escape, reads: Reads): OutputPlan | undefined {
  const { initial, filters: chain } = node.value;
  const [first] = initial.postfix;
  if (initial.postfix.length !== 1 || first === undefined) return undefined;
  const value = compileRead(first, reads);
  if (value === undefined) return undefined;
  // In HTML liquidjs ends the chain with the escaping, under a name that no filter has; a chain
  // that ends in an escaping filter has none.
  const last = chain[chain.length - 1];
  const escaped = escaping === 'html' && last !== undefined && last.name.includes('[object');
  if (escaping === 'html' && !escaped) return undefined;
  const named = escaped ? chain.slice(0, -1) : chain;
  let steps = value.parts + (escaped ? 1 : 0);
  const filters: { apply: Apply; args: Read[] }[] = [];
  for (const filter of named) {
    const compiled = compileFilter(filter, escaping, reads);
    if (compiled === undefined) return undefined;
    steps += 1 + compiled.steps;
    filters.push(compiled);
  }
  return { read: value.read, filters, defaulted: named[0]?.name === 'default', escaped, steps };
}

function compileFilter(
  filter: Filter,
  escaping: Escape,
  reads: Reads,
): { readonly apply: Apply; readonly args: Read[]; readonly steps: number } | undefined {
  const known = plainFilters.get(filter.name);
  if (known === undefined || (escaping === 'html' && filter.name === 'escape')) return undefined;
  const { arity, apply } = known;
  if (filter.args.length < arity[0] || filter.args.length > arity[1]) return undefined;
  const args: Read[] = [];
  let steps = filter.args.length;
  for (const token of filter.args) {
    // A pair is a keyed argument.
    const arg = Array.isArray(token) || token === undefined ? undefined : compileRead(token, reads);
    if (arg === undefined) return undefined;
    steps += arg.parts;
    args.push(arg.read);
  }
  return { apply, args, steps };
}

/** `parts`: how many parts of a path are read. */
function compileRead(
  token: Token,
  reads: Reads,
): { readonly read: Read; readonly parts: number } | undefined {
  if (token.kind === TokenKind.PropertyAccess)
    return compilePath(token as PropertyAccessToken, reads);
  const literal =
    token.kind === TokenKind.Quoted ||
    token.kind === TokenKind.Number ||
    token.kind === TokenKind.Literal;
  if (!literal || !('content' in token)) return undefined;
  const { content } = token;
  return isPlain(content) ? { read: () => content, parts: 0 } : undefined;
}

function compilePath({ variable, props }: PropertyAccessToken, reads: Reads) {
  if (variable !== undefined) return undefined;
  const path: string[] = [];
  for (const prop of props) {
    if (prop.kind !== TokenKind.Word || !('content' in prop) || typeof prop.content !== 'string')
      return undefined;
    path.push(prop.content);
  }
  const [name, member, leaf] = path;
  if (name === undefined || path.some((part) => refusedParts.has(part))) return undefined;
  if (path.length === 1) {
    reads.tags.add(name);
    return isBuiltIn(name) ? undefined : { read: readName(name), parts: 1 };
  }
  if (!isBuiltIn(name) || member === undefined) return undefined;
  if (path.length === 2 && member !== 'tags') {
    if (name === 'subscriber') reads.members.add(member);
    return { read: readBuiltIn(name, member), parts: 2 };
  }
  if (path.length === 3 && name === 'subscriber' && member === 'tags' && leaf !== undefined) {
    reads.tags.add(leaf);
    return { read: readTag(leaf), parts: 3 };
  }
  return undefined;
}

// Names that liquidjs resolves on every value, and that every object inherits.
const refusedParts = new Set([
  'size',
  'first',
  'last',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

function readName(name: string): Read {
  return (context) => {
    const variable = context.variables[name];
    if (variable !== undefined) return isPlain(variable) ? variable : doubt;
    const tag = context.tags[name];
    return tag === undefined || isPlain(tag) ? tag : doubt;
  };
}

function readTag(name: string): Read {
  return (context) => {
    if (Object.hasOwn(context.variables, 'subscriber')) return doubt;
    const tag = context.tags[name];
    return tag === undefined || isPlain(tag) ? tag : doubt;
  };
}

function readBuiltIn(name: 'subscriber' | 'app', member: string): Read {
  return (context) => {
    if (Object.hasOwn(context.variables, name)) return doubt;
    const value: unknown = Reflect.get(context[name], member);
    return value === undefined || isPlain(value) ? value : doubt;
  };
}
