// Insights: reports over a range of days. Report, range and choices stand in the address.

import type { ReactNode } from 'react';
import { Segmented } from '../../ui/choices.tsx';
import { late } from '../../ui/late.tsx';
import { Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { Delivery } from './delivery.tsx';
import { Funnel } from './funnel.tsx';
import { Heatmap } from './heatmap.tsx';
import { useDays } from './report.tsx';
import { Retention } from './retention.tsx';
import { Rfm } from './rfm.tsx';
import { words } from './words.ts';

const waiting = () => <Grey rows={8} />;
const Trends = late(() => import('./trends.tsx').then((file) => file.default), waiting);
const MailboxProviders = late(
  () => import('./mailbox-providers.tsx').then((file) => file.default),
  waiting,
);
const Growth = late(() => import('./growth.tsx').then((file) => file.default), waiting);

const tabs = [
  { id: 'trends', label: words.trends },
  { id: 'growth', label: words.growth },
  { id: 'health', label: words.health },
  { id: 'mailboxes', label: words.mailboxes },
  { id: 'heatmap', label: words.heatmap },
  { id: 'funnel', label: words.funnel },
  { id: 'retention', label: words.retention },
  { id: 'rfm', label: words.rfm },
] as const;

const ranges = ['7', '30', '90'] as const;

export default function Insights() {
  const tab = useTab(tabs);
  const [days, setDays] = useDays();
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-bar">
        <Tabs label={words.tabs} tabs={tabs} />
        {tab !== 'retention' && (
          <Segmented
            label={words.range}
            choices={ranges.map((value) => ({ value, label: words.days(Number(value)) }))}
            value={String(days) as (typeof ranges)[number]}
            onChange={(value) => setDays(Number(value))}
          />
        )}
      </div>
      <div className="screen-body">
        <TabPanel id={tab}>{reports[tab](days)}</TabPanel>
      </div>
    </>
  );
}

const reports: Readonly<Record<(typeof tabs)[number]['id'], (days: number) => ReactNode>> = {
  trends: (days) => <Trends days={days} />,
  growth: (days) => <Growth days={days} />,
  health: (days) => <Delivery days={days} />,
  mailboxes: (days) => <MailboxProviders days={days} />,
  heatmap: (days) => <Heatmap days={days} />,
  funnel: (days) => <Funnel days={days} />,
  retention: () => <Retention />,
  rfm: (days) => <Rfm days={days} />,
};
