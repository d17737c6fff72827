// The words of DMARC reports.

export const dmarcWords = {
  open: 'Show DMARC reports',
  close: 'Hide DMARC reports',
  of: (domain: string) => ` of ${domain}`,
  none: 'No reports in the last 30 days. Receivers send them once a day, if the DMARC record asks for them.',
  summary: (messages: string, reports: number, share: string) =>
    `In the last 30 days ${reports === 1 ? 'one report' : `${reports} reports`} told of ${messages} emails from this domain. ${share} passed DMARC.`,
  unproven: 'Anyone can send such a report. Engage does not check who sent it.',
  severalServers: 'Other servers',
  emails: (messages: number, shown: string) => (messages === 1 ? 'One email' : `${shown} emails`),
  from: (domain: string | null) => (domain === null ? 'From several domains' : `From ${domain}`),
  dispositions: { none: 'Delivered as usual', quarantine: 'Put into spam', reject: 'Rejected' },
  check: (name: string, result: 'pass' | 'fail' | 'none', isAligned: boolean) => {
    if (isAligned) return `${name} passed`;
    const said = { pass: 'passed for another domain', fail: 'failed', none: 'is missing' };
    return `${name} ${said[result]}`;
  },
} as const;
