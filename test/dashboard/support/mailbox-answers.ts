// Answers about mailbox providers and DMARC reports, for screens that shall show much at once.

const total = (sent: number, more: Readonly<Record<string, number>> = {}) => ({
  sent,
  delivered: sent,
  deferred: 0,
  bouncedHard: 0,
  bouncedSoft: 0,
  complained: 0,
  openedByPeople: Math.floor(sent / 4),
  openedByMachines: Math.floor(sent / 9),
  clicked: Math.floor(sent / 30),
  clickedByMachines: 0,
  ...more,
});

const row = (sent: number, more?: Readonly<Record<string, number>>) => ({
  total: total(sent, more),
  daily: {},
});

export function mailboxAnswer(...relays: readonly string[]) {
  const yahoo = { delivered: 9_100, deferred: 6_200, bouncedHard: 24, bouncedSoft: 876 };
  return {
    dates: ['2026-05-01'],
    providers: [
      { provider: 'gmail', ...row(41_200, { bouncedHard: 31, delivered: 41_169 }), reasons: [] },
      { provider: 'microsoft', ...row(18_040), reasons: [] },
      {
        provider: 'yahoo',
        ...row(10_000, yahoo),
        reasons: [
          {
            figure: 'deferred',
            reason: 'sender_blocked',
            detail:
              '421 4.7.0 [TSS04] Messages from 203.0.113.5 temporarily deferred due to unexpected volume or user complaints',
            count: 6_200,
            lastAt: '2026-05-01T09:30:00.000Z',
          },
          {
            figure: 'bouncedHard',
            reason: 'mailbox_not_found',
            detail: null,
            count: 24,
            lastAt: '2026-05-01T08:00:00.000Z',
          },
        ],
      },
      { provider: 'others', ...row(812), reasons: [] },
    ],
    domains: [
      { domain: 'news.acme.example', ...row(70_052) },
      { domain: null, ...row(0) },
    ],
    relays: ['server', ...relays].map((relay) => ({ relay, ...row(70_052, yahoo) })),
  };
}

export function dmarcAnswer() {
  const passed = { messages: 1_180, passed: 1_180, quarantined: 0, rejected: 0 };
  const source = {
    headerFrom: 'news.acme.example',
    spf: 'pass',
    spfAligned: false,
    dkim: 'pass',
    dkimAligned: true,
    disposition: 'none',
  };
  return {
    total: { messages: 1_200, passed: 1_180, quarantined: 0, rejected: 20 },
    days: [{ date: '2026-05-01', ...passed }],
    reporters: [{ org: 'google.com', reports: 3, messages: 1_200 }],
    sources: [
      { ip: '203.0.113.5', ...source, messages: 1_180 },
      {
        ip: null,
        ...source,
        messages: 20,
        spf: 'fail',
        dkim: 'none',
        dkimAligned: false,
        disposition: 'reject',
      },
    ],
  };
}
