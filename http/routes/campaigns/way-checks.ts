// What the DNS says of the ways by which an app's mails leave: whose return path receivers check
// with SPF, and whose key with DKIM. A mail service puts its own in place of ours. Each way is told
// by itself, and the worst of them is the state of all: the next takes over when the first fails.

import type {
  MailCheck,
  MailCheckName,
  MailCheckState,
} from '../../../actors/channels/email/mail-checks.ts';
import type { RelaySigns } from '../../../actors/channels/port/relay-kind.ts';
import type { TxtAnswer } from '../../../actors/tenants/accounts/protocol.ts';

/** A relay, or the server's own way. */
export interface MailWay {
  /** As people know it. */
  readonly name: string;
  /** Absent: Engage signs, and the return path is `ownReturnPath`. */
  readonly signs?: RelaySigns;
  readonly config?: Readonly<Record<string, unknown>>;
}

export type LookUp = (name: string) => Promise<TxtAnswer>;

interface WayCheck {
  readonly state: MailCheckState;
  readonly about: string;
  /** Whether it says that the mail is of the sender's domain. */
  readonly isAligned?: boolean;
}

interface Asked {
  /** Of the sender. */
  readonly domain: string;
  readonly ownReturnPath: string;
  /** Of the signature that Engage makes. */
  readonly ownDkim: WayCheck;
  readonly lookUp: LookUp;
}

const waysShown = 3;

/** SPF, DKIM and alignment, over all ways. */
export async function wayChecks(ways: readonly MailWay[], asked: Asked): Promise<MailCheck[]> {
  const checked = await Promise.all(ways.map((way) => checkOf(way, asked)));
  const aligned = checked.map((one) => alignmentOf(one, asked.domain));
  const together = (check: MailCheckName, of: readonly WayCheck[]) => combined(check, ways, of);
  return [
    together(
      'dkim',
      checked.map(({ dkim }) => dkim),
    ),
    together(
      'spf',
      checked.map(({ spf }) => spf),
    ),
    together('alignment', aligned),
  ];
}

async function checkOf(way: MailWay, asked: Asked): Promise<Record<'dkim' | 'spf', WayCheck>> {
  const { signs } = way;
  if (signs === undefined)
    return { dkim: asked.ownDkim, spf: await spfAt(asked.ownReturnPath, asked) };
  const [dkim, spf] = await Promise.all([
    dkimOfService(signs, asked),
    spfOfService(way, signs, asked),
  ]);
  return { dkim, spf };
}

async function spfAt(name: string, { domain, lookUp }: Asked): Promise<WayCheck> {
  const isAligned = isRelated(name, domain);
  const answer = await lookUp(name);
  if (answer.answer === 'failed')
    return { state: 'unknown', about: `The DNS gave no answer for ${name}.` };
  const texts = answer.answer === 'records' ? answer.texts : [];
  const count = texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text)).length;
  if (count === 1)
    return { state: 'done', about: `${name}, the return path, has an SPF record.`, isAligned };
  const has = count === 0 ? 'no SPF record' : `${count} SPF records`;
  return { state: 'not_done', about: `${name}, the return path, has ${has}.` };
}

async function spfOfService(way: MailWay, signs: RelaySigns, asked: Asked): Promise<WayCheck> {
  const named = signs.returnPathIn === undefined ? undefined : way.config?.[signs.returnPathIn];
  const label = signs.returnPathLabel;
  const name =
    typeof named === 'string' ? named.toLowerCase() : label && `${label}.${asked.domain}`;
  const found = name === undefined ? undefined : await spfAt(name, asked);
  if (found?.state === 'done') return found;
  return {
    state: 'unknown',
    about: 'It sends with its own return path, which passes SPF for its own domain.',
  };
}

async function dkimOfService(
  { selectors = [] }: RelaySigns,
  { domain, lookUp }: Asked,
): Promise<WayCheck> {
  const names = selectors.map((selector) => `${selector}._domainkey.${domain}`);
  const answers = await Promise.all(names.map(lookUp));
  const at = answers.findIndex(
    (one) => one.answer === 'records' && one.texts.some((text) => /(?:^|;)\s*p=\S/i.test(text)),
  );
  if (at >= 0)
    return {
      state: 'done',
      about: `It signs emails, and ${names[at]} has a key.`,
      isAligned: true,
    };
  const about = 'It signs emails itself; its console says whether the domain is set up there.';
  return { state: 'unknown', about };
}

/** Either is enough for DMARC. */
function alignmentOf({ dkim, spf }: Record<'dkim' | 'spf', WayCheck>, domain: string): WayCheck {
  if (dkim.isAligned === true)
    return { state: 'done', about: `Emails are signed by ${domain}, the domain of the sender.` };
  if (spf.isAligned === true)
    return { state: 'done', about: `The return path is of ${domain}, the domain of the sender.` };
  if (dkim.state === 'unknown' || spf.state === 'unknown')
    return { state: 'unknown', about: `Nothing found shows that emails come from ${domain}.` };
  return {
    state: 'not_done',
    about: `Neither a signature nor the return path shows that emails come from ${domain}.`,
  };
}

/** Relaxed, as far as it can be told without the list of public suffixes. */
function isRelated(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

const severity: readonly MailCheckState[] = ['not_done', 'unknown', 'done'];

function combined(
  check: MailCheckName,
  ways: readonly MailWay[],
  of: readonly WayCheck[],
): MailCheck {
  const state = severity.find((one) => of.some((each) => each.state === one)) ?? 'unknown';
  const [only] = of;
  if (only === undefined) return { check, state, about: 'Nothing sends emails of this app.' };
  if (new Set(of.map(({ about }) => about)).size === 1 && ways[0]?.signs === undefined)
    return { check, state, about: only.about };
  const told = of.slice(0, waysShown).map(({ about }, i) => `${ways[i]?.name}: ${about}`);
  const more = of.length > waysShown ? [`And ${of.length - waysShown} more.`] : [];
  return { check, state, about: [...told, ...more].join(' ') };
}
