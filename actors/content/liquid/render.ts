// Compiles and renders one text, strict or lenient, plain or HTML. Compiled templates are cached by
// source, so a campaign's or a batch's copy is parsed once. Problems do not name the field.

import { contentLimits } from '../shape/content-limits.ts';
import { hasValueInTag } from '../shape/html-links.ts';
import { isTemplate } from '../shape/is-template.ts';
import type { RenderContext } from './context.ts';
import type { RenderMoment } from './liquid-date.ts';
import {
  type LiquidNodes,
  type LiquidProblem,
  parseLiquid,
  renderLiquid,
} from './liquid-engine.ts';
import type { Escape } from './liquid-filters.ts';
import { compilePlain, type PlainTemplate } from './plain-template.ts';
import { RenderBudget } from './render-budget.ts';

/** Only `render` and what looks for the names in it see inside. */
interface Template {
  readonly escaping: Escape;
  readonly nodes: LiquidNodes;
  readonly plain: PlainTemplate | undefined;
  /** Of HTML: whether a value is printed within a tag, where it may become a link. */
  readonly hasValueInTag: boolean;
}

export interface RenderOptions extends RenderMoment {
  /** `strict`: an unknown name is a problem. `lenient`: it prints nothing. */
  readonly mode: 'strict' | 'lenient';
  /** Shared by the texts of one message; default a new one. */
  readonly budget?: RenderBudget;
}

/**
 * Compiles a source, or finds it in the cache. `html` escapes values, not the template's own text.
 * Problems: `undefined filter: nofilter`, `undefined tag: include`, a syntax error with its place,
 * more than 16 Ki characters (256 Ki of HTML), 2,000 tags or 32 levels of blocks.
 */
export function compile(source: string, escaping: Escape = 'none'): Template | LiquidProblem {
  const cached = templates.get(escaping, source);
  if (cached !== undefined) return cached;
  const max = escaping === 'html' ? contentLimits.htmlSourceMax : contentLimits.sourceMax;
  if (source.length > max) return { problem: `at most ${max} characters` };
  const compiled = parse(source, escaping);
  templates.set(escaping, source, compiled);
  return compiled;
}

function parse(written: string, escaping: Escape): Template | LiquidProblem {
  const source = outputsInNfc(written);
  const parsed = parseLiquid(source, escaping);
  if ('problem' in parsed) return parsed;
  return {
    escaping,
    nodes: parsed.nodes,
    plain: compilePlain(parsed.nodes, escaping),
    hasValueInTag: escaping === 'html' && hasValueInTag(source),
  };
}

/**
 * A source with its outputs and tags in NFC, as names and values are stored. The text around them
 * stays as it was written.
 */
function outputsInNfc(source: string): string {
  if (source === source.normalize()) return source;
  let out = '';
  let at = 0;
  const opening = /\{[{%]/g;
  for (let open = opening.exec(source); open !== null; open = opening.exec(source)) {
    const close = source.indexOf(open[0] === '{{' ? '}}' : '%}', open.index + 2);
    if (close < 0) break; // an error of its own
    out += source.slice(at, open.index) + source.slice(open.index, close + 2).normalize();
    at = close + 2;
    opening.lastIndex = at;
  }
  return out + source.slice(at);
}

/** Whether the links of a rendered HTML source depend on values. */
export function printsInTags(source: string): boolean {
  if (!isTemplate(source)) return false;
  const template = compile(source, 'html');
  return !('problem' in template) && template.hasValueInTag;
}

/**
 * Problems: `undefined variable: order_id` (strict only, and not under `if` or before `default`),
 * `runaway template: …`, errors of filters. Equal input gives equal output on every machine.
 */
export function render(
  template: Template,
  context: RenderContext,
  options: RenderOptions,
): { readonly text: string } | LiquidProblem {
  const { plain } = template;
  const { budget } = options;
  if (plain !== undefined && (budget === undefined || budget.stepsLeft >= plain.steps)) {
    const text = plain.render(context, options.mode === 'strict', outputMax(template));
    if (text !== undefined) {
      budget?.spend(plain.steps);
      return { text };
    }
  }
  return renderSlowly(template, context, options);
}

/** As `render`, always by liquidjs. For tests and benches of the fast path. */
export function renderSlowly(
  template: Template,
  context: RenderContext,
  options: RenderOptions,
): { readonly text: string } | LiquidProblem {
  const { mode, budget = new RenderBudget() } = options;
  return renderLiquid(template.nodes, template.escaping, {
    data: context,
    strict: mode === 'strict',
    moment: options,
    budget,
    outputMax: outputMax(template),
  });
}

function outputMax(template: Template): number {
  return template.escaping === 'html' ? contentLimits.htmlOutputMax : contentLimits.outputMax;
}

type Compiled = Template | LiquidProblem;

// A parse tree takes about fifty bytes a character of source, beside a fixed part.
function bytesOf(source: string): number {
  return 2_048 + source.length * 50;
}

/**
 * Least recently used, in two halves: a hit in the old half moves to the young one, and when the
 * young one has half the bytes the old one is dropped. A hit in the young half costs one look-up.
 */
class TemplateCache {
  #young = newHalf();
  #old = newHalf();

  get(escaping: Escape, source: string): Compiled | undefined {
    const found = this.#young[escaping].get(source);
    if (found !== undefined) return found;
    const older = this.#old[escaping].get(source);
    if (older !== undefined) this.set(escaping, source, older);
    return older;
  }

  set(escaping: Escape, source: string, compiled: Compiled): void {
    const bytes = bytesOf(source);
    if (this.#young.bytes + bytes > contentLimits.compiledBytesMax / 2) {
      this.#old = this.#young;
      this.#young = newHalf();
    }
    this.#young.bytes += bytes;
    this.#young[escaping].set(source, compiled);
  }
}

function newHalf() {
  return { bytes: 0, none: new Map<string, Compiled>(), html: new Map<string, Compiled>() };
}

const templates = new TemplateCache();
