// Data in the texts of tools. People choose names, tags, titles and event names, and a model reads
// the texts, so such a value only ever stands in a JSON string. Characters that nobody sees (line
// breaks, bidirectional marks, Unicode tags) are escaped, because they can hide a sentence.

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

/** A value as JSON on one line, without unseen characters. `JSON.parse` returns the value. */
export function quoted(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(unseen, escapes);
}

/** `1 person`, `2 people`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** As `\uXXXX`, with two of them for a character beyond the basic plane. */
function escapes(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++)
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}
