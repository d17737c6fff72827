// Bounds a map that is used as a cache.

/** Removes the entry that was added first where the map has reached `sizeMax`. */
export function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size < sizeMax) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
