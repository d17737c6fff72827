// A list item that the reference describes by a schema but the parser accepts unchecked. Its
// handler checks it, so that a bad item is a result of its own.

import { z } from 'zod';

/** What `schema` describes, unchecked. */
export function judgedLater(schema: z.ZodType): z.ZodType<unknown> {
  const {
    $schema: _dialect,
    $defs: _named,
    ...described
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return z.unknown().meta(described);
}
