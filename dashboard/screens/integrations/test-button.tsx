// Sends a test event and says what the server at the other end answered.

import { Link } from 'wouter';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.webhook;

export function TestButton({ type }: { readonly type: string }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const test = useAct('testIntegration');
  const delivery = test.data;
  const tone = delivery?.status === 'delivered' ? 'good' : delivery?.lastError ? 'bad' : 'notice';
  return (
    <>
      <div className="row">
        <Button
          icon="send"
          refused={refused}
          isBusy={test.isPending}
          onClick={() => test.mutate({ path: { appId: app.id, type } })}
        >
          {text.test}
        </Button>
        {test.isPending && (
          <span className="soft" role="status">
            {text.testing}
          </span>
        )}
      </div>
      {test.error !== undefined && <ErrorNote error={test.error} />}
      {delivery !== undefined && (
        <Note tone={tone}>
          {delivery.status === 'delivered'
            ? text.testOk(delivery.lastStatus, delivery.durationMs)
            : delivery.lastError === null
              ? text.testPending
              : text.testBad(whyOf(delivery.lastError, delivery.lastStatus))}{' '}
          <Link to={appPath(app.id, 'integrations', 'deliveries', delivery.id)}>
            {text.seeDelivery}
          </Link>
        </Note>
      )}
    </>
  );
}

/** "the server answered 503". */
export function whyOf(error: keyof typeof words.deliveries.errors, status: number | null): string {
  if (error === 'status' && status !== null) return words.deliveries.answered(status);
  const why = words.deliveries.errors[error];
  return status === null ? why : `${why} (${status})`;
}
