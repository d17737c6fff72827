// What receivers report about a sender domain (DMARC): behind a line that opens, because few look.

import { useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { dmarcWords as words } from './dmarc-words.ts';

type Reports = AnswerOf<'readDmarcReports'>;

export default function DmarcReports({ domain }: { readonly domain: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="stack-tight">
      <div className="row">
        <Button size="small" kind="quiet" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <span>
            {isOpen ? words.close : words.open}
            <span className="sr-only">{words.of(domain)}</span>
          </span>
        </Button>
      </div>
      {isOpen && <Opened domain={domain} />}
    </div>
  );
}

function Opened({ domain }: { readonly domain: string }) {
  const app = useApp();
  const result = useRead('readDmarcReports', {
    path: { appId: app.id, domain },
    query: { days: 30 },
  });
  return (
    <Answer result={result} rows={3}>
      {({ total, reporters, sources }) =>
        total.messages === 0 ? (
          <p className="soft">{words.none}</p>
        ) : (
          <>
            <p>
              {words.summary(
                count(total.messages),
                reporters.reduce((sum, one) => sum + one.reports, 0),
                rate(total.passed, total.messages),
              )}
            </p>
            <p className="soft">{words.unproven}</p>
            <Sources sources={sources} />
          </>
        )
      }
    </Answer>
  );
}

/** Lines, as six columns do not fit beside one another in a card or on a phone. */
function Sources({ sources }: Pick<Reports, 'sources'>) {
  return (
    <ul className="dmarc-sources">
      {sources.map((one) => (
        <li key={JSON.stringify(one)}>
          <p className="dmarc-source">
            <strong>{one.ip ?? words.severalServers}</strong>
            <span>{words.emails(one.messages, count(one.messages))}</span>
          </p>
          <p className="soft">{words.from(one.headerFrom)}</p>
          <p>
            {words.check('SPF', one.spf, one.spfAligned)}
            {' · '}
            {words.check('DKIM', one.dkim, one.dkimAligned)}
            {' · '}
            {words.dispositions[one.disposition]}
          </p>
        </li>
      ))}
    </ul>
  );
}
