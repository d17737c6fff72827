// Beginning a journey: three starters, or an empty one.

import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { createdBody } from './draft.ts';
import { type Starter, starters } from './starters.ts';
import { words } from './words.ts';

const text = words.start;

export function Starters({ isBlankShown = true }: { readonly isBlankShown?: boolean }) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const { use, isBusy } = useStarter();
  return (
    <section className="stack" aria-labelledby="journey-starters">
      <div>
        <h2 id="journey-starters">{text.title}</h2>
        <p className="soft">{text.text}</p>
      </div>
      <ul className="journey-starters">
        {starters.map((starter) => (
          <li key={starter.id} className="card journey-starter">
            <Icon name={starter.icon} large />
            <h3>{starter.name}</h3>
            <p className="soft">{starter.text}</p>
            {starter.segment !== undefined && (
              <p className="field-hint">{text.needsSegment(starter.segment.name)}</p>
            )}
            <Button
              size="small"
              refused={refused}
              isDisabled={isBusy}
              onClick={() => void use(starter)}
            >
              {text.use}
              <span className="sr-only">{starter.name}</span>
            </Button>
          </li>
        ))}
        {isBlankShown && (
          <li className="card journey-starter">
            <Icon name="plus" large />
            <h3>{text.blank}</h3>
            <p className="soft">{text.blankText}</p>
            <Button
              size="small"
              refused={refused}
              onClick={() => go(appPath(app.id, 'journeys', 'new', 'empty'))}
            >
              {text.use}
              <span className="sr-only">{text.blank}</span>
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Makes a journey of a starter, and the segment that it needs, and opens it. */
function useStarter() {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createJourney');
  const createSegment = useAct('createSegment');

  const use = async ({ draft, segment }: Starter) => {
    try {
      const path = { appId: app.id };
      let triggerSegmentId: string | null = null;
      if (segment !== undefined) {
        const { items } = await call('listSegments', { path, query: { limit: 100 } });
        const wanted = JSON.stringify(segment.filter);
        const same = items.find(({ filter }) => JSON.stringify(filter) === wanted);
        const found = same ?? (await createSegment.mutateAsync({ path, body: segment }));
        if (same === undefined) tellDone(text.madeSegment(found.name));
        triggerSegmentId = found.id;
      }
      const body = createdBody({ ...draft, triggerSegmentId });
      const made = await create.mutateAsync({ path, body });
      go(appPath(app.id, 'journeys', made.id));
    } catch (failure) {
      tellError(asApiError(failure).message);
    }
  };
  return { use, isBusy: create.isPending || createSegment.isPending };
}
