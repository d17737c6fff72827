// Home: what needs a person, what is being sent, and today's figures. A newcomer sees the way to a
// first campaign instead.

import { appPath } from '../../frame/address.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { ChannelWeek } from './channel-week.tsx';
import { Checklist } from './checklist.tsx';
import { Needs } from './needs.tsx';
import { Sending } from './sending.tsx';
import { Today } from './today.tsx';
import { words } from './words.ts';

export default function Home() {
  const app = useApp();
  const refused = useRefusal('write');
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          refused === undefined && (
            <ButtonLink kind="primary" icon="plus" to={appPath(app.id, 'campaigns', 'new')}>
              {words.sendCampaign}
            </ButtonLink>
          )
        }
      />
      <div className="screen-body">
        <div className="stack home">
          <Checklist appId={app.id} />
          <Needs appId={app.id} />
          <Sending appId={app.id} />
          <Today />
          <ChannelWeek appId={app.id} />
        </div>
      </div>
    </>
  );
}
