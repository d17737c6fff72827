// Domains that look like one of the largest mailbox providers with one slip of the finger:
// "gmial.com", "yaho.com", "hotmail.con". A domain that may well be somebody's own is never one:
// what begins with another letter, short names, and other countries' endings. Pure.

/** By name: the endings of the large providers' own. Names of four letters are all taken. */
const large: Readonly<Record<string, readonly string[]>> = {
  gmail: ['com'],
  googlemail: ['com'],
  yahoo: ['com', 'co.uk', 'fr', 'co.jp', 'com.br', 'co.id', 'com.vn', 'it', 'de', 'es'],
  hotmail: ['com', 'co.uk', 'fr', 'it', 'es', 'de'],
  outlook: ['com', 'fr', 'de', 'es'],
  icloud: ['com'],
  orange: ['fr'],
  wanadoo: ['fr'],
  't-online': ['de'],
  freenet: ['de'],
  libero: ['it'],
  virgilio: ['it'],
  yandex: ['ru', 'com'],
  rambler: ['ru'],
  naver: ['com'],
  hanmail: ['net'],
  comcast: ['net'],
  verizon: ['net'],
  protonmail: ['com'],
  proton: ['me'],
  rediffmail: ['com'],
};

/** Names one letter from those that are somebody else's. */
const others: ReadonlySet<string> = new Set([
  'gmail.com.br',
  'hotmail.com.br',
  'never.com',
  'oranges.fr',
  'protons.me',
  'freenets.de',
  'proto.me',
  'yandex.com.tr',
  'hanmail2.net',
]);

/** How fingers write `com`, `net`, `co.uk` and `fr`; each is no country's, or nobody's here. */
const endings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'con cmo vom xom comm ocm om co cm cim coom cpm c0m clm cok comn cpom dom con.com com.com'
      .split(' ')
      .map((written) => [written, 'com']),
  ),
  nett: 'net',
  nte: 'net',
  ney: 'net',
  'co.ul': 'co.uk',
  'co.u': 'co.uk',
  'cou.k': 'co.uk',
  couk: 'co.uk',
};

const namesByLetter = new Map<string, readonly string[]>();
for (const name of Object.keys(large))
  for (const letter of new Set([name[0] as string, name[1] as string]))
    namesByLetter.set(letter, [...(namesByLetter.get(letter) ?? []), name]);

/** The domain that was meant, or `undefined`. `domain` as `emailAddress` writes it. */
export function misspelledDomain(domain: string): string | undefined {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const ending = domain.slice(dot + 1);
  if (others.has(domain)) return undefined;
  const own = Object.hasOwn(large, name) ? large[name] : undefined;
  if (own !== undefined) {
    const meant = Object.hasOwn(endings, ending) ? endings[ending] : undefined;
    return meant !== undefined && own.includes(meant) ? `${name}.${meant}` : undefined;
  }
  for (const known of namesByLetter.get(name[0] ?? '') ?? [])
    if (large[known]?.includes(ending) === true && isOneSlip(name, known))
      return `${known}.${ending}`;
  return undefined;
}

/** One letter more, less or other, or two exchanged; the first letter only as one of these two. */
function isOneSlip(name: string, known: string): boolean {
  const longer = Math.max(name.length, known.length);
  if (Math.abs(name.length - known.length) > 1) return false;
  let start = 0;
  while (start < longer && name[start] === known[start]) start++;
  let end = 0;
  while (
    end < Math.min(name.length, known.length) - start &&
    name[name.length - 1 - end] === known[known.length - 1 - end]
  )
    end++;
  const [left, right] = [
    name.slice(start, name.length - end),
    known.slice(start, known.length - end),
  ];
  const isExchanged =
    left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  if (isExchanged) return true;
  return start > 0 && left.length <= 1 && right.length <= 1;
}
