// What stands where data would: a note, nothing yet, an error with the server's own words.

import { type ReactNode, useContext } from 'react';
import type { ApiError } from '../api/errors.ts';
import { SessionContext } from '../api/session-context.tsx';
import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { CodeLine, Copyable } from './code.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

export function Note({
  tone,
  icon,
  children,
}: {
  readonly tone?: 'good' | 'notice' | 'bad' | 'accent';
  readonly icon?: IconName;
  readonly children: ReactNode;
}) {
  const sign = icon ?? (tone === 'bad' || tone === 'notice' ? 'warning' : 'info');
  return (
    <div className={`note ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={sign} />
      <div className="grow">{children}</div>
    </div>
  );
}

/** Nothing is there yet: one sentence, the one action, and the same thing as a command. */
export function Empty({
  icon,
  title,
  children,
  action,
  curl,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly curl?: string;
}) {
  return (
    <div className="empty">
      <Icon name={icon} large />
      <h2>{title}</h2>
      {children !== undefined && <div className="soft">{children}</div>}
      {action}
      {curl !== undefined && <CodeLine text={curl} />}
    </div>
  );
}

/** An answer that is no data. Refusals say what is missing and who can give it. */
export function ErrorNote({
  error,
  onAgain,
}: {
  readonly error: ApiError;
  readonly onAgain?: () => void;
}) {
  const title = titleOf(error);
  return (
    <Note tone="bad">
      {title !== undefined && <strong>{title} </strong>}
      {error.message}
      {error.status === 403 && <WhoCan />}
      <div className="row">
        {onAgain !== undefined && error.status !== 403 && error.status !== 404 && (
          <Button size="small" icon="refresh" onClick={onAgain}>
            {words.errors.again}
          </Button>
        )}
        {error.requestId !== undefined && (
          <span className="soft">
            {words.errors.requestId} <Copyable text={error.requestId} />
          </span>
        )}
      </div>
    </Note>
  );
}

/** A member has a role that an owner gives; the session of a key has the key's scopes. */
function WhoCan() {
  const session = useContext(SessionContext)?.session;
  return (
    <p>{session?.role === null ? words.errors.keyDecides(session.scopes) : words.errors.whoCan}</p>
  );
}

function titleOf(error: ApiError): string | undefined {
  if (error.isOffline) return words.errors.offline;
  if (error.status === 403) return words.errors.refused;
  if (error.status === 429) return words.errors.busy;
  if (error.status >= 500) return words.errors.server;
  return undefined;
}

/** Gray lines of the height that the data will have. */
export function Grey({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="stack late" role="status" aria-label={words.loading}>
      {[...Array(rows).keys()].map((at) => (
        <span key={at} className={`grey width-${(at % 4) + 1}`} />
      ))}
    </div>
  );
}

/** The three states of an answer, then its data. `toOtherKey`: what a key reads that is refused. */
export function Answer<Data>({
  result,
  rows,
  toOtherKey,
  children,
}: {
  readonly result: {
    readonly data: Data | undefined;
    readonly error: ApiError | undefined;
    refetch(): unknown;
  };
  readonly rows?: number;
  readonly toOtherKey?: string;
  readonly children: (data: Data) => ReactNode;
}) {
  const isKey = useContext(SessionContext)?.session.role === null;
  if (result.data !== undefined) return children(result.data);
  if (toOtherKey !== undefined && isKey && result.error?.status === 403)
    return (
      <Note>
        {toOtherKey}
        <p className="soft">{result.error.message}</p>
      </Note>
    );
  if (result.error !== undefined)
    return <ErrorNote error={result.error} onAgain={() => void result.refetch()} />;
  return <Grey {...(rows === undefined ? {} : { rows })} />;
}
