// The last check of incoming content after the schema: templates compile, links are valid, reserved
// names have the right values; then normalizes it. Messages, templates and transactional sends all
// use it, so a send can use whatever a template accepts.

import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { hasControlCharacter } from '../../channels/addresses/address.ts';
import type { Button, DeliveryOptions } from '../../channels/port/attempt.ts';
import { isReservedDataKey } from '../../channels/port/reserved-keys.ts';
import { languageKey } from '../../channels/words/language-tag.ts';
import { isHtml } from '../liquid/html-text.ts';
import { compile } from '../liquid/render.ts';
import { contentLimits } from '../shape/content-limits.ts';
import { deliveryOptionKeys, readDeliveryOptions } from '../shape/delivery-options.ts';
import { isTemplate } from '../shape/is-template.ts';
import { checkLink, type LinkUse, linkSourceProblem } from '../shape/link.ts';
import type { ContentInput, LocalizedContent, MessageContent } from '../shape/message-schema.ts';
import { normalizeButtons } from './buttons.ts';

/** Option names in `data` are reserved only on the transactional lane. */
export type ContentLane = 'transactional' | 'marketing';

type LocalizedInput = NonNullable<ContentInput['localizations']>[string];
type OptionInput = Pick<ContentInput, keyof DeliveryOptions>;

/**
 * Content in normal form, without unknown members. The fault names the member
 * (`localizations.pt-br.body: …`). Nothing is required here: the caller knows its channels.
 * Delivery options in `payload` and `data` stay there until rendering.
 */
export function acceptContent(
  input: ContentInput,
  lane: ContentLane,
): { readonly content: MessageContent } | { readonly fault: Fault } {
  try {
    return { content: accept(input, lane) };
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault };
    throw error;
  }
}

function accept(input: ContentInput, lane: ContentLane): MessageContent {
  const { data, payload, localizations, unsubscribe, utm } = input;
  if (data !== undefined) checkData(data);
  if (payload !== undefined) checkPayload(payload);
  const top = givenOptions(input);
  const inside = givenOptions(input.deliveryOptions ?? {});
  const options = readDeliveryOptions(
    { top, inside, payload, data: lane === 'transactional' ? data : undefined },
    'accept',
  );
  if ('fault' in options) throw new FaultError(options.fault);
  checkOptionTemplates(top, '');
  checkOptionTemplates(inside, 'deliveryOptions.');
  const content: Draft<MessageContent> = { ...acceptLocalized(input, ''), ...inside, ...top };
  if (data !== undefined) content.data = data;
  if (payload !== undefined) content.payload = payload;
  if (unsubscribe !== undefined) content.unsubscribe = unsubscribe;
  if (utm !== undefined) content.utm = utm;
  if (localizations !== undefined) content.localizations = acceptLocalizations(localizations);
  return content;
}

type Draft<T> = { -readonly [Member in keyof T]: T[Member] };

function givenOptions(input: OptionInput): DeliveryOptions {
  const options: Partial<Record<keyof DeliveryOptions, unknown>> = {};
  for (const key of deliveryOptionKeys) if (input[key] !== undefined) options[key] = input[key];
  return options as DeliveryOptions;
}

function checkOptionTemplates(options: DeliveryOptions, prefix: string): void {
  for (const [key, value] of Object.entries(options))
    if (typeof value === 'string') checkTemplate(value, `${prefix}${key}`);
}

function acceptLocalized(input: LocalizedInput, prefix: string): LocalizedContent {
  const { title, body, image, deepLink, buttons } = input;
  const content: Draft<LocalizedContent> = {};
  if (title !== undefined) content.title = checkTitle(title, `${prefix}title`);
  if (body !== undefined) content.body = checkBody(body, `${prefix}body`);
  if (image !== undefined) content.image = acceptLink(image, `${prefix}image`, 'image');
  if (deepLink !== undefined) content.deepLink = acceptLink(deepLink, `${prefix}deepLink`, 'link');
  if (buttons !== undefined) content.buttons = acceptButtons(buttons, `${prefix}buttons`);
  return content;
}

function acceptButtons(buttons: readonly unknown[], field: string): readonly Button[] {
  const normal = normalizeButtons(buttons, field);
  if ('fault' in normal) throw new FaultError(normal.fault);
  for (const [i, { url }] of normal.buttons.entries()) {
    if (url !== undefined) checkTemplate(url, `${field}[${i}].url`);
  }
  return normal.buttons;
}

function acceptLocalizations(
  input: Readonly<Record<string, LocalizedInput>>,
): Record<string, LocalizedContent> {
  const entries = Object.entries(input);
  if (entries.length > contentLimits.localizationsMax) {
    refuse('localizations', `at most ${contentLimits.localizationsMax} languages`);
  }
  const localizations: Record<string, LocalizedContent> = {};
  const writtenAs = new Map<string, string>();
  for (const [tag, variant] of entries) {
    const key = languageKey(tag);
    if (key === undefined)
      refuse(`localizations.${tag.slice(0, 64)}`, 'expected a language tag, such as pt-BR');
    const same = writtenAs.get(key);
    if (same !== undefined)
      refuse(`localizations.${tag}`, `this language appears twice; ${same} is the same`);
    writtenAs.set(key, tag);
    localizations[key] = acceptLocalized(variant, `localizations.${key}.`);
  }
  return localizations;
}

function checkText(source: string, field: string): string {
  if (source.trim() === '') refuse(field, 'renders to nothing');
  checkTemplate(source, field);
  return source;
}

// White space becomes a blank when rendered; any other control character would be refused then.
function checkTitle(source: string, field: string): string {
  if (hasControlCharacter(source.replace(/[\s\u0085]/g, ' ')))
    refuse(field, 'must not contain control characters');
  return checkText(source, field);
}

function checkBody(source: string, field: string): string {
  if (isHtml(source)) {
    const compiled = compile(source, 'html');
    if ('problem' in compiled) refuse(field, compiled.problem);
    return source;
  }
  if (source.length > contentLimits.sourceMax) {
    refuse(field, `at most ${contentLimits.sourceMax} characters of text`);
  }
  return checkText(source, field);
}

function checkTemplate(source: string, field: string): void {
  if (!isTemplate(source)) return;
  const compiled = compile(source);
  if ('problem' in compiled) refuse(field, compiled.problem);
}

function acceptLink(source: string, field: string, use: LinkUse): string {
  if (isTemplate(source)) {
    const problem = linkSourceProblem(source, use);
    if (problem !== undefined) refuse(field, problem);
    checkTemplate(source, field);
    return source;
  }
  const checked = checkLink(source, use);
  if ('problem' in checked) refuse(field, checked.problem);
  return checked.url;
}

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

function checkData(data: NonNullable<ContentInput['data']>): void {
  const entries = Object.entries(data);
  if (entries.length > contentLimits.dataKeysMax)
    refuse('data', `at most ${contentLimits.dataKeysMax} keys`);
  for (const [key, value] of entries) {
    const field = `data.${key.slice(0, contentLimits.dataKeyMax)}`;
    if (key === '' || key.length > contentLimits.dataKeyMax) {
      refuse(field, `a key must have 1 to ${contentLimits.dataKeyMax} characters`);
    }
    if (refusedKeys.has(key)) refuse(field, 'this key is not allowed');
    if (isReservedDataKey(key)) refuse(field, 'this key is reserved');
    if (typeof value === 'string') checkTemplate(value, field);
  }
}

function checkPayload(payload: Readonly<Record<string, unknown>>): void {
  let nodes = 0;
  const visit = (value: unknown, field: string, depth: number): void => {
    if (++nodes > contentLimits.payloadNodesMax)
      refuse('payload', `at most ${contentLimits.payloadNodesMax} values`);
    if (depth > contentLimits.payloadDepthMax) {
      refuse('payload', `nested more than ${contentLimits.payloadDepthMax} levels deep`);
    }
    if (typeof value === 'string') checkTemplate(value, field);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      const at = Array.isArray(value)
        ? `${field}[${key}]`
        : `${field}.${key.slice(0, contentLimits.dataKeyMax)}`;
      if (refusedKeys.has(key)) refuse(at, 'this key is not allowed');
      visit(item, at, depth + 1);
    }
  };
  visit(payload, 'payload', 0);
}

/** Throws the fault for `acceptContent`, or a render, to return. */
export function refuse(field: string, problem: string): never {
  throw new FaultError(fieldFault(field, problem));
}
