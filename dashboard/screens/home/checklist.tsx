// The way to a first campaign. Facts tick its steps; it goes when all are done.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { appPath } from '../../frame/address.ts';
import { useSession } from '../../frame/session-context.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { words } from './words.ts';

const steps = words.steps;
/** The demo app of a sandbox begins with one person. */
const peopleFrom = 2;

export function Checklist({ appId }: { readonly appId: string }) {
  const { session } = useSession();
  const path = { appId };
  const people = useRead('listSubscribers', { path, query: { limit: 1 } });
  const messages = useRead('listMessages', { path, query: { limit: 1 } });
  const campaigns = useRead('listCampaigns', { path, query: { limit: 50 } }, { everyMs: 5_000 });
  const begun = (campaigns.data?.items ?? []).filter(({ startedAt }) => startedAt !== null);
  const stats = useRead(
    'compareCampaigns',
    {
      query: {
        ids: begun
          .slice(0, 10)
          .map(({ id }) => id)
          .join(','),
      },
    },
    { enabled: begun.length > 0, everyMs: 5_000 },
  );
  if (people.data === undefined || messages.data === undefined || campaigns.data === undefined)
    return null;
  const isDelivered = (stats.data?.items ?? []).some(({ delivered }) => delivered > 0);
  const list = [
    {
      title: steps.people,
      text: steps.peopleText,
      isDone: (people.data.total ?? people.data.items.length) >= peopleFrom,
      to: appPath(appId, 'import'),
    },
    {
      title: steps.message,
      text: steps.messageText,
      isDone: messages.data.items.length > 0,
      to: appPath(appId, 'messages', 'new'),
    },
    {
      title: steps.campaign,
      text: steps.campaignText,
      isDone: campaigns.data.items.length > 0,
      to: appPath(appId, 'campaigns', 'new'),
    },
    {
      title: steps.send,
      text: steps.sendText,
      isDone: begun.length > 0,
      to: appPath(appId, 'campaigns', campaigns.data.items[0]?.id ?? 'new'),
    },
    {
      title: steps.deliver,
      text: steps.deliverText,
      isDone: isDelivered,
      to: appPath(appId, 'campaigns', begun[0]?.id ?? ''),
      href: session.inboxUrl,
    },
  ];
  if (list.every(({ isDone }) => isDone)) return null;
  const next = list.findIndex(({ isDone }) => !isDone);
  return (
    <section className="card" aria-labelledby="checklist">
      <div className="card-head">
        <h2 id="checklist">{words.start}</h2>
        <span className="soft">{words.startText}</span>
      </div>
      <ol className="checklist">
        {list.map((step, at) => (
          <li
            key={step.title}
            className={classNames(step.isDone && 'is-done', at === next && 'is-next')}
          >
            <span className="checklist-mark">
              {step.isDone ? <Icon name="check" /> : at + 1}
              <span className="sr-only">{step.isDone ? words.done : words.toDo}</span>
            </span>
            <StepLink {...step} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepLink({
  title,
  text,
  to,
  href,
}: {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly href?: string | undefined;
}) {
  const inner = (
    <>
      <strong>{title}</strong>
      <span className="soft">{text}</span>
    </>
  );
  if (href !== undefined)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {inner}
      </a>
    );
  return <Link to={to}>{inner}</Link>;
}
