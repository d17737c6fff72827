// A list item described by a schema but accepted unchecked. The handler checks it, so that a bad
// item is a result of its own.

import { z } from 'zod';

const judges = new WeakMap<z.ZodType, z.ZodType>();

export function judgedLater(schema: z.ZodType): z.ZodType<unknown> {
  const {
    $schema: _dialect,
    $defs: _named,
    ...described
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  const item = z.unknown().meta(described);
  judges.set(item, schema);
  return item;
}

/** The schema that the handler will check such an item by. */
export function laterJudgeOf(item: z.ZodType): z.ZodType | undefined {
  return judges.get(item);
}
