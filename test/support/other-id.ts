/**
 * A well-formed id that differs from this one in its last letter, or a path that ends with one:
 * nobody has it.
 */
export function otherId(id: string): string {
  return id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
}
