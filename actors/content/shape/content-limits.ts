// Every bound on message content. Texts are counted in UTF-16 code units (`String.length`): 16 KiB
// of text may be up to 48 KiB on the wire.

import { assert } from '../../../engine/base/assert.ts';

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
   * Steps per message over all its fields. A step is a node rendered, a part of a path read, an
   * operator, a filter or one of its arguments, or an item that a filter looks at.
   */
  stepsMax: 50_000,
  /** Characters that filters and comparisons read per message: over twice the longest HTML body. */
  workMax: 2_097_152,
  /** Items of any list or range in a template. */
  itemsMax: 5_000,
  /** Tags and outputs in one source. */
  tagsMax: 2_000,
  /** Blocks within blocks, and brackets within brackets. */
  nestingMax: 32,
  /** Memory of compiled templates, per thread; an estimate. */
  compiledBytesMax: 33_554_432,

  variablesMax: 50,
  variableKeyMax: 64,
  variableMax: 65_536,

  urlMax: 2_048,
  buttonsMax: 5,
  buttonIdMax: 64,
  /** A rendered label; template tags may make the source longer. */
  buttonLabelMax: 80,
  localizationsMax: 50,
  dataKeysMax: 100,
  dataKeyMax: 128,
  /** Strings, numbers, objects and lists within `payload`, and how deeply they nest. */
  payloadNodesMax: 1_000,
  payloadDepthMax: 16,
  /** `sound`, `collapseKey`, `androidChannelId` as rendered. */
  optionTextMax: 256,
  /** `badgeCount` and `ttlSeconds`: the 32-bit integers of the providers. */
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
