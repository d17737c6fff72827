// What actions are called that many things have.

export const actionWords = {
  undo: 'Undo',
  duplicate: 'Duplicate',
  archive: 'Archive',
  unarchive: 'Unarchive',
  clear: 'Clear selection',
} as const;
