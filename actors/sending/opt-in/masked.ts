// An address as a page shows it: enough for its owner to know it, and too little for others.

/** `a•••@example.com`, `•••0123`. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@');
  if (at > 0) return `${[...address][0]}•••${address.slice(at)}`;
  return `•••${address.slice(-Math.min(4, Math.floor(address.length / 3)))}`;
}
