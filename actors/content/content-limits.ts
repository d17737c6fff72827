// Every bound on message content in one table. Texts are counted in UTF-16 code units, the unit of
// `String.length`, because that is what the renderer holds and what a schema checks: 16 KiB of text
// may be up to 48 KiB on the wire.

import { assert } from '../../engine/base/assert.ts';

export const contentLimits = {
  titleMax: 1_024,
  /** Source of a plain-text body, and of any other templated string. */
  sourceMax: 16_384,
  /** Rendered length of any text but an HTML body. */
  outputMax: 65_536,
  /** Source and rendered length of a body that is HTML. */
  htmlSourceMax: 262_144,
  htmlOutputMax: 524_288,

  /**
   * Steps one message may take, all its fields together. A step is a node rendered, a part of a
   * path read, an operator, a filter or one of its arguments, or an item that a filter looks at.
   */
  stepsMax: 50_000,
  /**
   * Characters that filters and comparisons may take in, a message. Twice the longest HTML body,
   * and then some.
   */
  workMax: 2_097_152,
  /** Items of any list or range in a template. */
  itemsMax: 5_000,
  /** Tags and outputs in one source. */
  tagsMax: 2_000,
  /** Blocks within blocks, and brackets within brackets. */
  nestingMax: 32,
  /** Memory that compiled templates may hold, per thread; an estimate. */
  compiledBytesMax: 33_554_432,

  variablesMax: 50,
  variableKeyMax: 64,
  variableMax: 65_536,

  urlMax: 2_048,
  buttonsMax: 5,
  buttonIdMax: 64,
  /** A label as rendered; the source may be longer by its template tags. */
  buttonLabelMax: 80,
  localizationsMax: 50,
  dataKeysMax: 100,
  dataKeyMax: 128,
  /** Strings, numbers, objects and lists within `payload`, and how deeply they nest. */
  payloadNodesMax: 1_000,
  payloadDepthMax: 16,
  /** `sound`, `collapseKey`, `androidChannelId` as rendered. */
  optionTextMax: 256,
  /** `badgeCount` and `ttlSeconds`: what fits the 32-bit integers of the providers. */
  optionIntegerMax: 2_147_483_647,
} as const;

assert(
  contentLimits.sourceMax <= contentLimits.outputMax,
  'a plain text may be as long as its source',
);
assert(contentLimits.htmlSourceMax <= contentLimits.htmlOutputMax, 'so may an HTML body');
assert(
  contentLimits.htmlOutputMax * 2 <= contentLimits.workMax,
  'an HTML body can be captured and escaped',
);
assert(contentLimits.variableMax <= contentLimits.outputMax, 'a variable can be printed');
