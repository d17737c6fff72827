// What a row of the list says, and which messages share one. Pure.

/** Attempts of one call have the same; a message without a send stands alone. */
export function keyOf({ id, channel, sendId, to }) {
  return sendId === undefined ? `#${id}` : `${channel} ${sendId} ${to}`;
}

/** The beginning of a text, cut between words. */
export function headline(text, charactersMax) {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= charactersMax) return line;
  const cut = line.slice(0, charactersMax + 1);
  const end = cut.lastIndexOf(' ');
  // Languages without spaces break anywhere, but not within a character.
  const kept = end > charactersMax / 2 ? cut.slice(0, end) : [...cut].slice(0, -2).join('');
  return `${kept.replace(/[\s.,;:–-]+$/, '')} …`;
}

/** A long token by its ends. */
export function shortened(recipient) {
  return recipient.length > 32 && !/[@\s]/.test(recipient)
    ? `${recipient.slice(0, 10)}…${recipient.slice(-6)}`
    : recipient;
}
