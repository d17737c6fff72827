// Campaigns: the list, one campaign, or its editor while it is a draft.

import { type ComponentProps, useState } from 'react';
import type { Campaign } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { late } from '../../ui/late.tsx';
import { useNewEditor } from '../../ui/new-editor.ts';
import { UnreadScreen } from '../../ui/screen.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { CampaignList } from './list.tsx';
import { words } from './words.ts';

const CampaignEditor = late(
  () => import('./editor/editor.tsx').then((file) => file.CampaignEditor),
  () => <Unread />,
);

const CampaignPage = late(
  () => import('./page.tsx').then((file) => file.CampaignPage),
  () => <Unread />,
);

export default function CampaignsScreen({ rest: [id, part] }: ScreenProps) {
  // A new campaign gets its id while it is written; the editor stays as it is, until it is sent.
  const { key, isNew, onMade } = useNewEditor(id, 'new');
  const [sent, setSent] = useState<string>();
  if (id === undefined) return <CampaignList />;
  if (isNew && key !== sent)
    return (
      <CampaignEditor key={key} campaign={undefined} onMade={onMade} onSent={() => setSent(key)} />
    );
  return <ReadCampaign key={id} id={id} isEditing={part === 'edit'} />;
}

function ReadCampaign({ id, isEditing }: { readonly id: string; readonly isEditing: boolean }) {
  const app = useApp();
  const read = useRead('readCampaignOfApp', { path: { appId: app.id, id } });
  const { data } = read;
  if (data === undefined) return <Unread read={read} />;
  return mayEdit(data, isEditing) ? (
    <CampaignEditor campaign={data} />
  ) : (
    <CampaignPage campaign={data} />
  );
}

function Unread(props: Pick<ComponentProps<typeof UnreadScreen>, 'read'>) {
  const app = useApp();
  const crumb = { to: appPath(app.id, 'campaigns'), label: words.title };
  return <UnreadScreen title={words.one} crumb={crumb} {...props} />;
}

/** A recurring campaign can be changed between two occurrences. */
function mayEdit({ state, schedule, archivedAt }: Campaign, isEditing: boolean): boolean {
  if (archivedAt !== null) return false;
  return state === 'draft' || (isEditing && state === 'scheduled' && schedule.type === 'recurring');
}
