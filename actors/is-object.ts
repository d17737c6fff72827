// Whether a JSON value is an object with members, and which members a closed one has.

/** Beneath a member that is a list: of its objects. An object that callers fill is `null`. */
export interface MemberTree {
  readonly [name: string]: MemberTree | null;
}

/** The object as its reader sees it: nothing but the members of the tree. */
export type MembersIn<Tree extends MemberTree> = { readonly [Name in keyof Tree]?: unknown };

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
