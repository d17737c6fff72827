// One delivery: its attempts with what the server answered, its body, and sending it again.

import { useLocation } from 'wouter';
import type { WebhookDeliveryDetail } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeLine, Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Answer, ErrorNote } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { statusTones } from './deliveries.tsx';
import { whyOf } from './test-button.tsx';
import { words } from './words.ts';

const text = words.deliveries;

export function DeliveryPage({ id }: { readonly id: string }) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const read = useLiveRead(
    app.id,
    'readWebhookDelivery',
    { path: { appId: app.id, deliveryId: id } },
    { topics: [`webhook-delivery:${id}`], isLive: () => true },
  );
  const retry = useAct('retryWebhookDelivery');
  const again = () =>
    retry.mutate(
      { path: { appId: app.id, deliveryId: id } },
      {
        onSuccess: (made) => {
          tellDone(text.retriedOne);
          go(appPath(app.id, 'integrations', 'deliveries', made.id));
        },
      },
    );
  return (
    <>
      <ScreenHead
        crumb={{
          to: withParams(appPath(app.id, 'integrations'), { tab: 'deliveries' }),
          label: words.tabs.deliveries,
        }}
        title={read.data?.event ?? id}
        aside={
          read.data !== undefined && (
            <Badge tone={statusTones[read.data.status]}>{text.states[read.data.status]}</Badge>
          )
        }
        actions={
          <Button
            kind="primary"
            icon="refresh"
            refused={refused}
            isBusy={retry.isPending}
            onClick={again}
          >
            {text.retry}
          </Button>
        }
      />
      <div className="screen-body">
        {retry.error !== undefined && <ErrorNote error={retry.error} />}
        <Answer result={read}>{(one) => <Detail one={one} />}</Answer>
      </div>
    </>
  );
}

function Detail({ one }: { readonly one: WebhookDeliveryDetail }) {
  return (
    <>
      <Section title={text.status}>
        <Facts
          items={[
            [text.facts.id, <Copyable key="id" text={one.id} />],
            [text.facts.event, one.event],
            [text.facts.to, one.type],
            [text.at, <Time key="at" at={one.createdAt} />],
            [text.facts.delivered, <Time key="delivered" at={one.deliveredAt} />],
            [text.next, <Time key="next" at={one.nextRetryAt} />],
          ]}
        />
      </Section>
      <Section title={text.triesTitle} intro={text.tries(one.tries.length)}>
        {one.tries.length === 0 && <p className="soft">{text.noTries}</p>}
        {one.tries.map(({ at, status, error, durationMs, answer }) => (
          <div key={at} className="stack-tight">
            <div className="row">
              <Badge tone={error === null ? 'good' : 'bad'}>
                {error === null ? String(status) : whyOf(error, status)}
              </Badge>
              <Time at={at} />
              <span className="soft">{text.took(durationMs)}</span>
            </div>
            {answer !== null && answer !== '' && <CodeLine text={answer} />}
          </div>
        ))}
      </Section>
      <Section title={text.payload} intro={text.payloadIntro}>
        <CodeLine text={JSON.stringify(one.payload, null, 2)} />
      </Section>
    </>
  );
}
