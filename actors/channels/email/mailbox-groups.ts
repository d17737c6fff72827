// Which mailbox provider a mail domain belongs to, by the domains that providers give to the public.
// A company's own domain that a provider hosts is known by its MX records alone, not here.

export const mailboxGroups = [
  'gmail',
  'microsoft',
  'yahoo',
  'apple',
  'proton',
  'zoho',
  'qq',
  'netease',
  'naver',
  'others',
] as const;
export type MailboxGroup = (typeof mailboxGroups)[number];

/** Of a domain in lower case, without a dot at its end; `others` if no provider is known. */
export function mailboxGroupOf(domain: string): MailboxGroup {
  const group = byDomain.get(domain);
  if (group !== undefined) return group;
  // Yahoo! Japan is another company with servers of its own.
  if (domain === 'yahoo.co.jp') return 'others';
  // `yahoo.co.uk`, `hotmail.com.br`, `outlook.fr`: national names of one service.
  const [name, ...ending] = domain.split('.');
  if (ending.length === 0 || !isPublicEnding(ending)) return 'others';
  return byNationalName.get(name ?? '') ?? 'others';
}

/** A country's two letters, alone or below `co` or `com`. */
function isPublicEnding(labels: readonly string[]): boolean {
  const [first = '', second] = labels;
  if (second === undefined) return first.length === 2 || first === 'com';
  return labels.length === 2 && second.length === 2 && (first === 'co' || first === 'com');
}

const byNationalName: ReadonlyMap<string, MailboxGroup> = new Map([
  ['hotmail', 'microsoft'],
  ['live', 'microsoft'],
  ['msn', 'microsoft'],
  ['outlook', 'microsoft'],
  ['yahoo', 'yahoo'],
]);

const domainsOf: Readonly<Record<Exclude<MailboxGroup, 'others'>, readonly string[]>> = {
  gmail: ['gmail.com', 'googlemail.com'],
  microsoft: ['passport.com', 'windowslive.com'],
  yahoo: [
    ...['aim.com', 'aol.com', 'aol.co.uk', 'aol.de', 'aol.fr', 'cs.com', 'games.com', 'love.com'],
    ...['myyahoo.com', 'netscape.net', 'rocketmail.com', 'verizon.net', 'wow.com', 'ygm.com'],
    ...['ymail.com'],
  ],
  apple: ['icloud.com', 'mac.com', 'me.com', 'privaterelay.appleid.com'],
  proton: ['pm.me', 'proton.me', 'protonmail.ch', 'protonmail.com'],
  zoho: ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com', 'zohomail.eu', 'zohomail.in'],
  qq: ['foxmail.com', 'qq.com', 'vip.qq.com'],
  netease: ['126.com', '163.com', '188.com', 'vip.126.com', 'vip.163.com', 'yeah.net'],
  naver: ['naver.com'],
};

const byDomain: ReadonlyMap<string, MailboxGroup> = new Map(
  Object.entries(domainsOf).flatMap(([group, domains]) =>
    domains.map((domain) => [domain, group as MailboxGroup] as const),
  ),
);
