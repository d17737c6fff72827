// Copies a template's content under the call's own, so that later changes of the template do not
// matter. Members replace whole, `payload` and `localizations` too, and a text or link in all the
// template's languages. A delivery option counts as one
// member wherever it is written: one in the call's `payload` wins over the template's at top level.
// Source: specification, "Message template" and "Transactional send"; contract, section 5.

import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { unknownId } from '../../faults.ts';
import type { ContentLane } from '../accept/accept-content.ts';
import { deliveryOptionKeys, readDeliveryOptions } from '../shape/delivery-options.ts';
import type { MessageContent } from '../shape/message-schema.ts';
import { namedTemplate } from './find.ts';
import type { TemplatesReads } from './reads.ts';
import type { TemplateRef } from './template-ref.ts';

/**
 * The call's content over that of the template it names, if any. An unknown template is a
 * `not_found` on the naming member. On the transactional lane also checks options in the template's
 * `data`, which only there are options. `design` is the template's, unless the call has a `body` of
 * its own, which the design does not describe.
 */
export function withTemplate<Given extends MessageContent>(
  app: TemplatesReads,
  named: TemplateRef,
  given: Given,
  lane: ContentLane,
  context: Pick<Context, 'documents'>,
):
  | { readonly content: MessageContent & Given; readonly design?: object }
  | { readonly fault: Fault } {
  const { templateName, templateId } = named;
  if (templateName === undefined && templateId === undefined) return { content: given };
  const template = namedTemplate(app, named, context);
  if (template === undefined) {
    const field = templateName === undefined ? 'templateId' : 'templateName';
    return { fault: unknownId(field, 'template', templateName ?? templateId ?? '') };
  }
  const content = copyOver(template.content, given, lane);
  if (lane === 'marketing') {
    const { design } = template;
    return design === undefined || given.body !== undefined ? { content } : { content, design };
  }
  const { payload, data } = content;
  const options = readDeliveryOptions({ top: content, payload, data }, 'accept');
  return 'fault' in options ? options : { content };
}

export function copyOver<Given extends MessageContent>(
  template: MessageContent,
  given: Given,
  lane: ContentLane,
): MessageContent & Given {
  const copy: Record<string, unknown> = { ...template };
  const optionsOfData = lane === 'transactional' ? given.data : undefined;
  for (const key of deliveryOptionKeys) {
    const isIn = (map: object | undefined) => map !== undefined && Object.hasOwn(map, key);
    if (isIn(given.payload) || isIn(optionsOfData)) delete copy[key];
    if (isIn(optionsOfData)) copy['payload'] = without(copy['payload'], key);
  }
  if (copy['payload'] === undefined) delete copy['payload'];
  const { localizations } = template;
  if (localizations !== undefined && given.localizations === undefined)
    copy['localizations'] = withoutMembers(localizations, given);
  return { ...copy, ...given };
}

/** The variants without the members that the content beside them gives: it holds for all. */
export function withoutMembers(
  localizations: NonNullable<MessageContent['localizations']>,
  given: object,
): NonNullable<MessageContent['localizations']> {
  const isGiven = ([member]: readonly [string, unknown]) =>
    (given as Readonly<Record<string, unknown>>)[member] !== undefined;
  if (!Object.entries(given).some(([, value]) => value !== undefined)) return localizations;
  return Object.fromEntries(
    Object.entries(localizations).map(([language, variant]) => [
      language,
      Object.fromEntries(Object.entries(variant).filter((entry) => !isGiven(entry))),
    ]),
  );
}

function without(map: unknown, key: string): unknown {
  if (typeof map !== 'object' || map === null || !Object.hasOwn(map, key)) return map;
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}
