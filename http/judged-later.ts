// A list item described by a schema but accepted unchecked. The handler checks it, so that a bad
// item is a result of its own.

import { z } from 'zod';

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
