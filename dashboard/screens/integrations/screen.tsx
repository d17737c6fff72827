// Integrations and webhooks: what is connected, and the ledger of deliveries.

import { useLocation } from 'wouter';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { CdpPage } from './cdp.tsx';
import { Connections } from './connections.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryPage } from './delivery.tsx';
import { SlackPage } from './slack.tsx';
import { NewWebhook } from './webhook-form.tsx';
import { WebhookPage } from './webhook-page.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'connections', label: words.tabs.connected },
  { id: 'deliveries', label: words.tabs.deliveries },
] as const;

export default function Integrations({ rest }: ScreenProps) {
  const [first, second] = rest;
  if (first === 'deliveries' && second !== undefined)
    return <DeliveryPage key={second} id={second} />;
  if (first === 'new') return <NewWebhook />;
  if (first === 'cdp') return <CdpPage />;
  if (first === 'slack') return <SlackPage />;
  if (first !== undefined) return <WebhookPage key={first} type={first} />;
  return <Overview />;
}

function Overview() {
  const app = useApp();
  const tab = useTab(tabs);
  const [, go] = useLocation();
  const refused = useRefusal('admin');
  const to = appPath(app.id, 'integrations', 'new');
  useShortcuts([{ keys: 'c', label: words.list.add, run: () => refused === undefined && go(to) }]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          refused === undefined ? (
            <ButtonLink kind="primary" icon="plus" to={to}>
              {words.list.add}
            </ButtonLink>
          ) : (
            <Button kind="primary" icon="plus" refused={refused}>
              {words.list.add}
            </Button>
          )
        }
      />
      <div className="screen-fill">
        <Tabs label={words.title} tabs={tabs} />
        <TabPanel id={tab}>{tab === 'connections' ? <Connections /> : <Deliveries />}</TabPanel>
      </div>
    </>
  );
}
