// Asks the provider whether it accepts the stored credential; for email, the server's relay.

import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { failureText } from '../../words/send-reasons.ts';
import type { CredentialName } from './forms/form.ts';
import { words } from './words.ts';

const text = words.check;

export function CheckNow({ channel }: { readonly channel: CredentialName | 'email' }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const check = useAct('checkStoredCredential');
  const { data } = check;
  return (
    <div className="stack-tight">
      <div className="row">
        <Button
          icon="check"
          refused={refused}
          isBusy={check.isPending}
          onClick={() => check.mutate({ path: { appId: app.id, channel } })}
        >
          {text.now}
        </Button>
        <span className="soft">{text.hint}</span>
      </div>
      {check.error !== undefined && <ErrorNote error={check.error} />}
      {data?.ok === true && <Note tone="good">{text.ok(data.tookMs)}</Note>}
      {data?.ok === false && (
        <Note tone="bad">
          {text.refused(
            data.reason === undefined
              ? (data.detail ?? '')
              : failureText(data.reason, data.detail ?? null, channel),
          )}
        </Note>
      )}
      {data?.checked === false && <Note tone="notice">{text.cannot(data.why ?? '')}</Note>}
    </div>
  );
}
