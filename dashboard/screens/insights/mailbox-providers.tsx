// What mailbox providers do with an app's emails: a sentence on the gravest, the figures of each,
// why they refuse, and the same figures by sender domain and relay.

import type { AnswerOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { PlainTable } from '../../kit/plain-table.tsx';
import { Bar, count, rate } from '../../ui/figure.tsx';
import { Answer, Empty, Note } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { reasonText } from '../../words/send-reasons.ts';
import { mailboxTrouble } from './mailbox-trouble.ts';
import { providerNames, mailboxWords as words } from './mailbox-words.ts';

type Mailboxes = AnswerOf<'readMailboxProviders'>;
type Total = Mailboxes['providers'][number]['total'];
type Named = { readonly id: string; readonly name: string; readonly total: Total };

export default function MailboxProviders({ days }: { readonly days: number }) {
  const app = useApp();
  const result = useRead(
    'readMailboxProviders',
    { query: { appId: app.id, days } },
    { keepPrevious: true, everyMs: 60_000 },
  );
  return (
    <Answer result={result} rows={8}>
      {(found) =>
        found.providers.length === 0 ? (
          <Empty icon="insights" title={words.none}>
            {words.noneText}
          </Empty>
        ) : (
          <Found {...found} />
        )
      }
    </Answer>
  );
}

function Found({ providers, domains, relays }: Mailboxes) {
  const trouble = mailboxTrouble(providers);
  const nameOf = useRelayNames(relays);
  return (
    <>
      <Note tone={trouble.isBad ? 'notice' : 'good'}>{trouble.text}</Note>
      <FiguresTable
        head={words.provider}
        rows={providers.map(({ provider, total }) => ({
          id: provider,
          name: providerNames[provider],
          total,
        }))}
      />
      <p className="soft">{words.machinesText}</p>
      <h2>{words.reasons}</h2>
      <Reasons providers={providers} />
      <h2>{words.domains}</h2>
      <FiguresTable
        head={words.domain}
        rows={domains.map(({ domain, total }) => ({
          id: String(domain),
          name: domainName(domain),
          total,
        }))}
      />
      <h2>{words.relays}</h2>
      <FiguresTable
        head={words.relay}
        rows={relays.map(({ relay, total }) => ({ id: String(relay), name: nameOf(relay), total }))}
      />
    </>
  );
}

function domainName(domain: string | null): string {
  if (domain === null) return words.otherDomains;
  return domain === '' ? words.ownSender : domain;
}

/** Of the app's relays and, if they are not enough, of those that its org shares. */
function useRelayNames(used: Mailboxes['relays']) {
  const app = useApp();
  const query = { limit: 100 };
  const own = useRead('listRelays', { path: { appId: app.id }, query }).data?.items;
  const isForeign = ({ relay }: (typeof used)[number]) =>
    relay !== null && relay !== 'server' && own?.every(({ id }) => id !== relay) === true;
  const enabled = used.some(isForeign);
  const shared = useRead('listSharedRelays', { query }, { enabled }).data?.items;
  return (relay: string | null): string => {
    if (relay === null) return words.otherRelays;
    if (relay === 'server') return words.server;
    const named = [...(own ?? []), ...(shared ?? [])].find(({ id }) => id === relay);
    return named?.name ?? (shared === undefined ? relay : words.removedRelay(relay));
  };
}

function FiguresTable({ head, rows }: { readonly head: string; readonly rows: readonly Named[] }) {
  const number = (title: string, of: (total: Total) => number) => ({
    head: title,
    isNumber: true,
    cell: ({ total }: Named) => count(of(total)),
  });
  return (
    <PlainTable
      isCard
      columns={[
        { head, isHead: true, cell: ({ name }: Named) => <bdi>{name}</bdi> },
        number(words.sent, ({ sent }) => sent),
        number(words.delivered, ({ delivered }) => delivered),
        {
          head: words.deliveredShare,
          className: 'mailbox-share',
          cell: ({ name, total }: Named) => (
            <>
              <Bar
                label={words.deliveredOf(name)}
                part={total.delivered}
                all={total.sent}
                tone={total.delivered < total.sent * 0.95 ? 'bad' : 'good'}
              />
              <span>{total.sent === 0 ? '–' : rate(total.delivered, total.sent)}</span>
            </>
          ),
        },
        number(words.deferred, ({ deferred }) => deferred),
        number(words.hard, ({ bouncedHard }) => bouncedHard),
        number(words.soft, ({ bouncedSoft }) => bouncedSoft),
        number(words.complained, ({ complained }) => complained),
        number(words.opened, ({ openedByPeople }) => openedByPeople),
        number(words.machines, ({ openedByMachines }) => openedByMachines),
        number(words.clicked, ({ clicked }) => clicked),
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

function Reasons({ providers }: Pick<Mailboxes, 'providers'>) {
  const rows = providers.flatMap(({ provider, reasons }) =>
    reasons.map((one) => ({ ...one, provider })),
  );
  if (rows.length === 0) return <p className="soft">{words.noReasons}</p>;
  return (
    <PlainTable
      isCard
      columns={[
        { head: words.provider, isHead: true, cell: ({ provider }) => providerNames[provider] },
        { head: words.result, cell: ({ figure }) => words.figures[figure] },
        {
          head: words.reason,
          className: 'mailbox-reason',
          cell: ({ reason }) => reasonText(reason, 'email'),
        },
        { head: words.saying, className: 'mailbox-reply', cell: ({ detail }) => detail ?? '–' },
        { head: words.times, isNumber: true, cell: (one) => count(one.count) },
        { head: words.last, className: 'mailbox-last', cell: ({ lastAt }) => <Time at={lastAt} /> },
      ]}
      rows={rows}
      keyOf={({ provider, figure, reason }) => `${provider} ${figure} ${reason}`}
    />
  );
}
