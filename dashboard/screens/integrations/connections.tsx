// What this app is connected with, and what it could be.

import { Link } from 'wouter';
import type { Destination, Integration } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { Ticked } from '../../ui/ticked.tsx';
import { Time } from '../../ui/time.tsx';
import { words } from './words.ts';

const text = words.list;
type One = Destination | Integration;

export function Connections() {
  const app = useApp();
  const refused = useRefusal('admin');
  const catalog = useRead('listCatalog', { query: { limit: 100 } });
  const connected = useRead(
    'listIntegrations',
    { path: { appId: app.id }, query: { limit: 100 } },
    { enabled: refused === undefined },
  );
  if (refused !== undefined)
    return (
      <Note>
        {text.refused} {refused}
      </Note>
    );
  return (
    <div className="connections">
      <Answer result={catalog}>
        {(types) => (
          <Answer result={connected}>
            {({ items }) =>
              types.items
                .toReversed()
                .map(({ type, name, description }) => (
                  <Group
                    key={type}
                    type={type}
                    name={name}
                    description={description}
                    items={items.filter((one) => groupOf(one) === type)}
                  />
                ))
            }
          </Answer>
        )}
      </Answer>
    </div>
  );
}

function Group({
  type,
  name,
  description,
  items,
}: {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly items: readonly One[];
}) {
  const app = useApp();
  const target = type === 'webhook' ? 'new' : type;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{name}</h2>
        {items.length === 0 && (
          <ButtonLink to={appPath(app.id, 'integrations', target)}>{text.connect}</ButtonLink>
        )}
      </div>
      <div className="card-body stack-tight">
        <p className="soft">
          <Ticked text={description} />
        </p>
        {items.length > 0 && (
          <ul className="connection-list">
            {items.map((one) => (
              <Row key={one.type} one={one} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Row({ one }: { readonly one: One }) {
  const app = useApp();
  const names: Readonly<Record<string, string>> = text.names;
  const to =
    one.type === 'legacy'
      ? `${appPath(app.id, 'settings')}#webhook`
      : appPath(app.id, 'integrations', one.type);
  return (
    <li className="connection">
      <Link to={to}>{names[one.type] ?? one.type}</Link>
      <HealthBadge one={one} />
      <span className="soft">
        {'events' in one && `${eventsText(one.events)} · `}
        {text.since} <Time at={one.createdAt} />
        {'pending' in one && one.pending > 0 && ` · ${text.waiting(one.pending)}`}
      </span>
    </li>
  );
}

export function HealthBadge({ one }: { readonly one: One }) {
  if (!one.enabled) {
    const isOurs = 'disabledReason' in one && one.disabledReason !== null;
    return (
      <Badge tone={isOurs ? 'bad' : 'off'}>
        {isOurs ? words.health.stopped : words.health.off}
      </Badge>
    );
  }
  const isFailing = 'health' in one && one.health === 'failing';
  return (
    <Badge tone={isFailing ? 'bad' : 'good'}>
      {isFailing ? words.health.failing : words.health.ok}
    </Badge>
  );
}

function eventsText(events: readonly string[]): string {
  if (events.includes('*')) return text.all;
  return events.length <= 2 ? events.join(', ') : text.kinds(events.length);
}

function groupOf({ type }: One): string {
  return type === 'cdp' || type === 'slack' ? type : 'webhook';
}
