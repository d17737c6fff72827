// Engage has switched off a webhook of the open app: its owners must know, on whatever screen they
// are.

import { useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../api/queries.ts';
import { appPath } from '../ui/address.ts';
import { IconButton } from '../ui/button.tsx';
import { words } from '../words/en.ts';
import { useOpenApp } from './use-open-app.ts';

const everyMs = 10 * 60_000;

export function OffNotice() {
  const app = useOpenApp();
  return app === undefined ? null : <OfApp key={app.id} appId={app.id} />;
}

function OfApp({ appId }: { readonly appId: string }) {
  const { data } = useRead(
    'listIntegrations',
    { path: { appId }, query: { limit: 100 } },
    { everyMs },
  );
  const [hidden, setHidden] = useState<string>();
  const off = (data?.items ?? []).filter(
    (one) => 'disabledReason' in one && one.disabledReason !== null,
  );
  const types = off.map(({ type }) => type).join(', ');
  const [first] = off;
  if (first === undefined || types === hidden) return null;
  const to =
    first.type === 'legacy'
      ? `${appPath(appId, 'settings')}#webhook`
      : appPath(appId, 'integrations', first.type);
  return (
    <div className="late-notice bad" role="status">
      <p>
        <strong>{words.frame.switchedOff(types)}</strong> {words.frame.switchedOffWhy}{' '}
        <Link to={to}>{words.frame.switchedOffSee}</Link>
      </p>
      <IconButton
        label={words.frame.hideNotice}
        icon="close"
        size="small"
        onClick={() => setHidden(types)}
      />
    </div>
  );
}
