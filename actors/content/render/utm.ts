// The campaign parameters (`utm_…`) of a message's links, from an app's setting. A setting is
// Liquid over what sends the message, never over a person: it is rendered once for many people.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { UtmSetting } from '../../tenants/accounts/records.ts';
import { type UtmMember, utmMembers } from '../../tenants/accounts/utm-setting.ts';
import { renderContext, type SendingApp } from '../liquid/context.ts';
import { compile, type RenderOptions, render } from '../liquid/render.ts';
import { usedNames } from '../liquid/used-names.ts';
import { isTemplate } from '../shape/is-template.ts';
import type { UtmFacts, UtmParameters } from '../shape/utm-facts.ts';

/** What a setting may read. `campaign` and `journey` are names. */
export const utmNames = [
  'campaign',
  'campaign_id',
  'journey',
  'journey_id',
  'step',
  'variant',
  'channel',
] as const;

const valueCharsMax = 200;

/** The parameters that are not empty; `undefined` if there is none. */
export function utmFor(
  setting: UtmSetting | null | undefined,
  facts: UtmFacts,
  app: SendingApp,
  nowMs: number,
): UtmParameters | undefined {
  if (setting == null) return undefined;
  const context = renderContext({ id: '', tags: {} }, app, variablesOf(facts));
  const options: RenderOptions = { mode: 'lenient', nowMs, timezone: app.timezone };
  const parameters = utmMembers.flatMap((member) => {
    const value = textOf(setting[member] ?? '', context, options);
    return value === '' ? [] : [[`utm_${member}`, encoded(value)] as const];
  });
  return parameters.length === 0 ? undefined : parameters;
}

/** What is wrong with a member of a setting. */
export function utmFault(member: UtmMember, source: string): Fault | undefined {
  if (!isTemplate(source)) return undefined;
  const template = compile(source);
  if ('problem' in template) return fieldFault(`utm.${member}`, template.problem);
  const known: ReadonlySet<string> = new Set([...utmNames, 'app.name']);
  const other = [...usedNames(template.nodes)].find((name) => !known.has(name));
  if (other === undefined) return undefined;
  const names = `${utmNames.join(', ')} and app.name`;
  return fieldFault(`utm.${member}`, `undefined variable: ${other}; there are ${names}`);
}

function textOf(
  source: string,
  context: ReturnType<typeof renderContext>,
  options: RenderOptions,
): string {
  const template = isTemplate(source) ? compile(source) : undefined;
  // A setting whose text cannot be rendered stops no message.
  if (template !== undefined && 'problem' in template) return '';
  const result = template === undefined ? { text: source } : render(template, context, options);
  if ('problem' in result) return '';
  const characters = [...result.text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()];
  return characters.slice(0, valueCharsMax).join('').trim();
}

function variablesOf({ channel, campaign, journey, step, variant }: UtmFacts) {
  return {
    channel,
    ...(campaign === undefined ? {} : { campaign: campaign.name, campaign_id: campaign.id }),
    ...(journey === undefined ? {} : { journey: journey.name, journey_id: journey.id }),
    ...(step === undefined ? {} : { step }),
    ...(variant === undefined ? {} : { variant }),
  };
}

/** Also within quotes of an attribute. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}
