// Integrations and webhooks: what is connected, and the ledger of deliveries.

import { CreateLink } from '../../kit/list-screen.tsx';
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
  const tab = useTab(tabs);
  const create = <CreateLink label={words.list.add} to={['integrations', 'new']} needs="admin" />;
  return (
    <>
      <ScreenHead title={words.title} actions={create} />
      <div className="screen-fill">
        <Tabs label={words.title} tabs={tabs} />
        <TabPanel id={tab}>{tab === 'connections' ? <Connections /> : <Deliveries />}</TabPanel>
      </div>
    </>
  );
}
