// A call's spoken instructions, in strict XML as the carrier demands. Our own reader, because it
// must verify that text which looks like markup was escaped.

const document = /^(?:<\?xml version="1\.0" encoding="UTF-8"\?>)?<Response>(.*)<\/Response>$/s;
const verb =
  /<Say(?: (?:voice|language|loop)="[^"<&]*")*>((?:[^<&]|&(?:amp|lt|gt|quot|apos);)*)<\/Say>|<Pause(?: length="\d{1,2}")?\/>/sy;
const signs: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** One per `Say`; `undefined` if the carrier could not read the document. */
export function spokenIn(twiml: string): readonly string[] | undefined {
  const inside = document.exec(twiml)?.[1];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML forbids
  if (inside === undefined || /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(twiml))
    return undefined;
  const said: string[] = [];
  verb.lastIndex = 0;
  let end = 0;
  for (let found = verb.exec(inside); found !== null; found = verb.exec(inside)) {
    end = verb.lastIndex;
    const [, text] = found;
    if (text !== undefined) said.push(text.replace(/&(\w+);/g, (_, name) => signs[name] ?? ''));
  }
  return end === inside.length ? said : undefined;
}
