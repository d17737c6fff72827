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
  const { use, isBusy } = useStarter();
  return (
    <section className="stack" aria-labelledby="journey-starters">
      <div>
        <h2 id="journey-starters">{text.title}</h2>
        <p className="soft">{text.text}</p>
      </div>
      <ul className="journey-starters">
        {starters.map((starter) => (
          <StarterCard
            key={starter.id}
            {...starter}
            isBusy={isBusy}
            onUse={() => void use(starter)}
          />
        ))}
        {isBlankShown && (
          <StarterCard
            icon="plus"
            name={text.blank}
            text={text.blankText}
            onUse={() => go(appPath(app.id, 'journeys', 'new', 'empty'))}
          />
        )}
      </ul>
    </section>
  );
}

function StarterCard({
  icon,
  name,
  text: about,
  segment,
  isBusy = false,
  onUse,
}: Pick<Starter, 'icon' | 'name' | 'text' | 'segment'> & {
  readonly isBusy?: boolean;
  readonly onUse: () => void;
}) {
  const refused = useRefusal('write');
  return (
    <li className="card journey-starter">
      <Icon name={icon} large />
      <h3>{name}</h3>
      <p className="soft">{about}</p>
      {segment !== undefined && <p className="field-hint">{text.needsSegment(segment.name)}</p>}
      <Button size="small" refused={refused} isDisabled={isBusy} onClick={onUse}>
        {text.use}
        <span className="sr-only">{name}</span>
      </Button>
    </li>
  );
}

/** Makes a journey of a starter, with its segment where there is none like it yet. */
function useStarter() {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createJourney');
  const createSegment = useAct('createSegment');
  const path = { appId: app.id };
  const segmentOf = async ({ segment }: Starter): Promise<string | null> => {
    if (segment === undefined) return null;
    const { items } = await call('listSegments', { path, query: { limit: 100 } });
    const wanted = JSON.stringify(segment.filter);
    const same = items.find(({ filter }) => JSON.stringify(filter) === wanted);
    if (same !== undefined) return same.id;
    const made = await createSegment.mutateAsync({ path, body: segment });
    tellDone(text.madeSegment(made.name));
    return made.id;
  };
  const use = async (starter: Starter) => {
    try {
      const triggerSegmentId = await segmentOf(starter);
      const body = createdBody({ ...starter.draft, triggerSegmentId });
      const made = await create.mutateAsync({ path, body });
      go(appPath(app.id, 'journeys', made.id));
    } catch (failure) {
      tellError(asApiError(failure).message);
    }
  };
  return { use, isBusy: create.isPending || createSegment.isPending };
}
