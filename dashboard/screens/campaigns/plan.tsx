// The plan of a campaign: who, what and when, in sentences.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Campaign } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { TopicName } from '../../ui/topic-box.tsx';
import { guardWords } from '../../words/campaign-guard.ts';
import { AudienceText, MessageName } from './audience.tsx';
import { channelsText, deliveryText, fallbackText, scheduleText, testText } from './plan-words.ts';
import { words } from './words.ts';

export function Plan({ campaign }: { readonly campaign: Campaign }) {
  const app = useApp();
  const { segmentId, filter, topic, messageId, variants, throttle, nextAt } = campaign;
  const facts: (readonly [string, ReactNode])[] = [
    [words.audience, <AudienceLink key="audience" segmentId={segmentId} filter={filter} />],
    [words.page.message, <MessageLink key="message" id={messageId} />],
  ];
  if (topic !== null) facts.push([words.plan.topic, <TopicName key="topic" topic={topic} />]);
  if (variants !== null)
    facts.push([
      words.page.byVariant,
      <ul key="variants">
        {variants.map((one) => (
          <li key={one.id}>
            {words.plan.variant(one.id, one.weight)} <MessageLink id={one.messageId} />
          </li>
        ))}
      </ul>,
    ]);
  facts.push([words.plan.channels, channelsText(campaign)]);
  const fallback = fallbackText(campaign);
  if (fallback !== undefined) facts.push([words.plan.fallbackHead, fallback]);
  facts.push([words.plan.schedule, scheduleText(campaign.schedule, app.timezone)]);
  if (nextAt !== null) facts.push([words.plan.next, <Time key="next" at={nextAt} />]);
  facts.push([words.plan.delivery, deliveryText(campaign)]);
  if (throttle !== null) facts.push([words.plan.rate, words.plan.throttle(throttle.perMinute)]);
  const tests = testText(campaign);
  if (tests.length > 0) facts.push([words.plan.test, tests.join(' ')]);
  facts.push(
    ...guardFacts(campaign),
    [words.plan.ifLate, words.late[campaign.ifLate]],
    [words.created, <Time key="created" at={campaign.createdAt} />],
    [words.plan.id, <Copyable key="id" text={campaign.id} />],
  );
  return (
    <section className="card card-body readable">
      <Facts items={facts} />
    </section>
  );
}

/** Nothing, where the app's limits hold. */
function guardFacts({ guard }: Campaign): (readonly [string, ReactNode])[] {
  if (guard !== null && Object.keys(guard).length === 0) return [];
  return [[words.plan.guard, guardWords.choices[guard === null ? 'off' : 'own']]];
}

function MessageLink({ id }: { readonly id: string }) {
  const app = useApp();
  return (
    <Link to={appPath(app.id, 'messages', id)}>
      <MessageName id={id} />
    </Link>
  );
}

function AudienceLink({ segmentId, filter }: Pick<Campaign, 'segmentId' | 'filter'>) {
  const app = useApp();
  const text = <AudienceText segmentId={segmentId} filter={filter} />;
  if (segmentId === null) return text;
  return <Link to={appPath(app.id, 'segments', segmentId)}>{text}</Link>;
}
