// Stripe's request bodies: forms whose names nest with brackets, `metadata[engage_org]`,
// `expand[0]`. Bounded, and with no way to reach a prototype.

export interface Form {
  readonly [name: string]: string | Form;
}

const depthMax = 5;
const fieldsMax = 200;

/** `undefined` for a name that does not nest properly, or too deeply. */
export function parseForm(text: string): Form | undefined {
  const root: Record<string, unknown> = Object.create(null);
  let fields = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (path === undefined || ++fields > fieldsMax) return undefined;
    let at = root;
    for (const part of path.slice(0, -1)) {
      at[part] ??= Object.create(null);
      if (typeof at[part] !== 'object') return undefined;
      at = at[part] as Record<string, unknown>;
    }
    at[path.at(-1) as string] = value;
  }
  return root as Form;
}

function pathOf(name: string): readonly string[] | undefined {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined) return undefined;
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part]) => part ?? '')];
  return path.length > depthMax ? undefined : path;
}

export function textIn(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === 'string' ? value : undefined;
}

export function formIn(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === 'object' ? value : {};
}

/** Its members that are texts, as Stripe keeps metadata. */
export function textsIn(form: Form, name: string): Readonly<Record<string, string>> {
  const texts = Object.entries(formIn(form, name)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
