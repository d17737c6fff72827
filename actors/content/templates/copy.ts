// Starting from a template: its content is copied, with what the call gives over it, so that
// nothing that happens to the template afterwards changes what was made of it. What a reader would
// get wrong: members replace whole, `payload` and `localizations` too, and a delivery option is one
// member wherever it is written, so one that the call gives in `payload` wins over the template's
// at top level. Source: specification, "Message template" and "Transactional send"; contract,
// section 5.

import type { Context } from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { notFound } from '../../faults.ts';
import type { ContentLane } from '../accept-content.ts';
import { deliveryOptionKeys, readDeliveryOptions } from '../delivery-options.ts';
import type { MessageContent } from '../message-schema.ts';
import { namedTemplate } from './find.ts';
import type { TemplatesReads } from './reads.ts';
import type { TemplateNamed } from './template-named.ts';

/**
 * What a call gives, over the content of the template that it names; what it gives alone where it
 * names none. A template that is not there is a `not_found` on the member that names it. On the
 * transactional lane the options in the template's `data` are judged, too, since only there they
 * are options.
 */
export function withTemplate<Given extends MessageContent>(
  app: TemplatesReads,
  named: TemplateNamed,
  given: Given,
  lane: ContentLane,
  context: Pick<Context, 'documents'>,
): { readonly content: MessageContent & Given } | { readonly fault: Fault } {
  const { templateName, templateId } = named;
  if (templateName === undefined && templateId === undefined) return { content: given };
  const template = namedTemplate(app, named, context);
  if (template === undefined) {
    const field = templateName === undefined ? 'templateId' : 'templateName';
    return { fault: { ...notFound(`${field}: template`), field } };
  }
  const content = copyOver(template.content, given, lane);
  if (lane === 'marketing') return { content };
  const { payload, data } = content;
  const options = readDeliveryOptions({ top: content, payload, data }, 'accept');
  return 'fault' in options ? options : { content };
}

/** The template's content with what is given over it. */
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
  return { ...copy, ...given };
}

function without(map: unknown, key: string): unknown {
  if (typeof map !== 'object' || map === null || !Object.hasOwn(map, key)) return map;
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}
