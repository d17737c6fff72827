// The key by which the API and addresses name a thing: it follows from the name of a new one until
// someone types another one. No DOM types here.

const keyCharsMax = 64;

/** `Product news` is `product-news`; empty if the name has no Latin letters or digits. */
function keyOfName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, keyCharsMax)
    .replace(/^-+|-+$/g, '');
}

/** A new name, with a new key where the key still follows from the name. */
export function nameWithKey(
  { name, key }: { readonly name: string; readonly key: string },
  next: string,
): { readonly name: string; readonly key?: string } {
  return key === keyOfName(name) ? { name: next, key: keyOfName(next) } : { name: next };
}

/**
 * Within the app: a thing that people name by its key. `<screen>/new` makes one, so a thing whose
 * key is "new" has a longer address.
 */
export function keyPlace(screen: string, key: string): readonly [string, ...(readonly string[])] {
  return key === 'new' ? [screen, key, 'saved'] : [screen, key];
}

/** Whether the parts after a screen are those of a new thing. */
export function isNewThing({ 0: key, length }: readonly string[]): boolean {
  return key === 'new' && length === 1;
}
