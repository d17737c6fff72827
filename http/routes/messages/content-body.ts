// The content fields in the bodies of changes, for messages and templates.

import type { z } from 'zod';
import { contentFields } from '../../../actors/content/message-schema.ts';

/** `null` removes a field. */
export const nullableContentFields = nullable(contentFields);

function nullable<Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).map(([name, member]) => {
    const schema = member as z.ZodType;
    return [name, schema.nullable().describe(schema.description ?? '')];
  });
  return Object.fromEntries(members) as { [K in keyof Shape]: z.ZodNullable<Shape[K]> };
}
