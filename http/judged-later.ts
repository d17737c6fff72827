// An item of a list that is described by a schema but taken whatever it is: its handler judges it,
// so that a bad one is a result of its own and harms nothing beside it.

import { z } from 'zod';

/** What `schema` describes, unjudged. */
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
