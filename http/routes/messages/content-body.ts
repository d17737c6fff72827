// What the bodies of messages and templates have in common: content fields that a change may
// remove, an editor's design, and the channels that a message is written for.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { buttonNames } from '../../../actors/content/accept/buttons.ts';
import {
  buttonSchema,
  contentInputFields,
  localizedSchema,
} from '../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../actors/limits.ts';
import { membersOf } from '../../call/body/unknown-members.ts';
import { channelsSchema } from '../../call/schemas/schemas.ts';

// They take more than their schemas say, so these do not tell what is unknown in them.
membersOf(buttonSchema, () => buttonNames, {});
const { buttons } = localizedSchema.shape;
membersOf(localizedSchema, () => Object.keys(localizedSchema.shape), { buttons });

/** `null` removes a field. */
export const nullableContentFields = nullable(contentInputFields);

/** A block editor's own document. */
export const designSchema = z
  .record(z.string(), z.unknown())
  .refine(
    (design) => JSON.stringify(design).length <= limits.designCharsMax,
    `at most ${limits.designCharsMax} characters as JSON`,
  )
  .describe(
    `Your editor's own document of this message, any JSON object of at most ${limits.designCharsMax} characters. It is stored and returned, and never rendered: \`body\` is what is sent. Copies keep it.`,
  )
  .meta({ examples: [{ version: 1, blocks: [{ kind: 'text', text: 'Hello' }] }] });

export const writtenForSchema = channelsSchema
  .overwrite((chosen) => channelIds.filter((id) => chosen.includes(id)))
  .describe(
    'The channels that the message is written for. The dashboard presets them; a call that names no `channels` still sends on every device.',
  )
  .meta({ examples: [['fcm', 'apns', 'webpush']] });

function nullable<Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).map(([name, member]) => {
    const schema = member as z.ZodType;
    return [name, schema.nullable().describe(schema.description ?? '')];
  });
  return Object.fromEntries(members) as { [K in keyof Shape]: z.ZodNullable<Shape[K]> };
}
