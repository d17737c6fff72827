// Who fetches the pictures and follows the links of mails besides people, by what programs call
// themselves. A proxy that fetches a picture when a person looks at it is that person: Gmail's
// (`GoogleImageProxy`), Yahoo's (`YahooMailProxy`), and those of Outlook on the web. What names
// nobody is a person, so that nobody's reading is lost.

interface MachineReader {
  readonly who: string;
  readonly agent: RegExp;
  /** Where its operator, or who watches many of its calls, says so. */
  readonly source: string;
}

const machineReaders: readonly MachineReader[] = [
  {
    // Fetches every picture of every mail, read or not; so does a reader's own look, which is lost.
    who: 'Apple Mail Privacy Protection',
    agent: /^Mozilla\/5\.0$/,
    source:
      'https://help.socketlabs.com/docs/identifying-apple-mpp-opens-in-notification-api-events',
  },
  {
    // At delivery, to people who have Gmail open; `GoogleImageProxy` comes when they look.
    who: "Gmail's prefetch",
    agent: /Edge\/12\.246 Mozilla\/5\.0$/,
    source: 'https://www.gmass.co/blog/false-opens-in-gmail/',
  },
  {
    who: 'Microsoft Defender and link previews',
    agent: /\bBingPreview\/|SkypeUriPreview|\bMicrosoftPreview\b|\bSafeLinks\b/i,
    source: 'https://learn.microsoft.com/defender-office-365/safe-links-about',
  },
  {
    who: 'mail security gateways',
    agent:
      /barracuda|proofpoint|mimecast|symantec|messagelabs|cloudmark|trendmicro|trend micro|fireeye|trellix|zscaler|forcepoint|sophos|fortinet|checkpoint|avanan|ironport|vade ?secure|libraesva|hornetsecurity|spamexperts|cisco[- ]?(?:email|esa)/i,
    source: 'https://www.m3aawg.org/published-documents',
  },
  {
    who: 'robots that say so',
    agent:
      /(?<!cu)bot\b|crawler|spider|\bslurp\b|urlpreview|linkpreview|link[- ]?check|scanner|monitor/i,
    source: 'https://www.rfc-editor.org/rfc/rfc9309',
  },
  {
    who: 'programs without a reader',
    agent:
      /^(?:curl|wget|python-|python\/|go-http-client|java\/|libwww-perl|apache-httpclient|node-fetch|axios|ruby|php|guzzlehttp|httpclient|restsharp|okhttp\/\d+[.\d]*$)|headlesschrome|phantomjs|puppeteer|playwright/i,
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5',
  },
];

/** Proxies that fetch on a person's behalf, whatever else they call themselves. */
const forPeople = /GoogleImageProxy|YahooMailProxy|ms-office|MSOffice/;

/** Longer ones are cut: strangers write them. */
const charsRead = 512;

/** Whether a program that calls itself so is no person, as far as it says. */
export function isMachineReader(userAgent: string): boolean {
  const agent = userAgent.slice(0, charsRead).trim();
  if (agent === '' || forPeople.test(agent)) return false;
  return machineReaders.some((one) => one.agent.test(agent));
}
