// One sender domain: its state, its records to copy, verifying and removing.

import type { EmailDomain } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { late } from '../../ui/late.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import type { Tone } from '../../words/tone.ts';
import { WarmUpOf } from './warm-up.tsx';
import { words } from './words.ts';

const text = words.domains;
type DnsRecord = EmailDomain['records'][number];

const DmarcReports = late(
  () => import('./dmarc-reports.tsx').then((file) => file.default),
  () => null,
);

const stateTones: Readonly<Record<EmailDomain['state'], Tone>> = {
  pending: 'notice',
  verified: 'good',
  failed: 'bad',
};

const statusTones: Readonly<Record<DnsRecord['status'], Tone>> = {
  unchecked: 'off',
  found: 'good',
  missing: 'bad',
  wrong: 'bad',
  unanswered: 'notice',
};

const remove = actionsOn<EmailDomain>()({
  id: 'remove',
  label: text.remove,
  needs: 'admin',
  confirm: ({ domain }) => ({
    title: text.removeTitle(domain),
    text: text.removeText,
    typed: domain,
  }),
  operation: 'deleteEmailDomain',
  args: (one, appId) => ({ path: { appId, domain: one.domain }, base: one }),
  done: ({ domain }) => text.removed(domain),
});

export function DomainCard({ one }: { readonly one: EmailDomain }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const path = { appId: app.id, domain: one.domain };
  const verify = useAct('verifyEmailDomain');
  const look = () =>
    verify.mutate(
      { path },
      {
        onSuccess: ({ state }) =>
          tellDone(state === 'verified' ? text.isVerified(one.domain) : text.isNot(one.domain)),
      },
    );
  return (
    <article className="card" aria-label={one.domain}>
      <div className="card-head">
        <div className="row">
          <h3>{one.domain}</h3>
          <Badge tone={stateTones[one.state]}>{text.states[one.state]}</Badge>
        </div>
        <div className="row">
          <Button size="small" refused={refused} isBusy={verify.isPending} onClick={look}>
            {text.verify}
          </Button>
          <ActionButton action={remove} thing={one} size="small" kind="quiet" />
        </div>
      </div>
      <div className="card-body stack">
        {one.vouched && <p>{text.vouched}</p>}
        {verify.isPending && <p role="status">{text.verifying}</p>}
        {verify.error !== undefined && <ErrorNote error={verify.error} onAgain={look} />}
        {one.records.map((record) => (
          <RecordView key={record.purpose} record={record} />
        ))}
        <p className="soft">{one.returnPath === null ? text.ownSpf : text.spf(one.returnPath)}</p>
        {one.dmarcReports !== null && <DmarcReports domain={one.domain} />}
        {one.checkedAt !== null && (
          <p className="soft">
            {text.checked} <Time at={one.checkedAt} />
          </p>
        )}
        <WarmUpOf domain={one.domain} />
      </div>
    </article>
  );
}

function RecordView({ record }: { readonly record: DnsRecord }) {
  const { purpose, type, name, value, required, status, found, problem } = record;
  return (
    <div className="dns-record">
      <div className="row">
        <strong>{text.purposes[purpose]}</strong>
        <span className="soft">{required ? text.required : text.advised}</span>
        <Badge tone={required || status === 'found' ? statusTones[status] : 'off'}>
          {text.status[status]}
        </Badge>
      </div>
      <Facts
        items={[
          [text.type, <code key="type">{type}</code>],
          [text.name, <CodeLine key="name" text={name} />],
          [text.value, <CodeLine key="value" text={value} />],
          ...(status === 'wrong'
            ? [[text.found, <code key="found">{found.join('\n')}</code>] as const]
            : []),
        ]}
      />
      {problem !== null && <Note tone={required ? 'bad' : 'notice'}>{problem}</Note>}
    </div>
  );
}
