// The four folds of a campaign's editor, of which at most one is open: its id is in the address.

import type { Channel } from '../../../api/generated.ts';
import type { useFilterCount } from '../../../filter/count.ts';
import { useQueryParam } from '../../../ui/address.ts';
import { scheduleText } from '../plan-words.ts';
import { bodyOf } from './draft.ts';
import { Fold } from './fold.tsx';
import { type FoldId, foldOf, type missingOf } from './missing.ts';
import type { PartProps } from './part.ts';
import { Review } from './review.tsx';
import { AudienceSummary, MessageSummary } from './summary.tsx';
import type { DryRunReview } from './use-dry-run.ts';
import type { CampaignTools } from './use-saved-draft.ts';
import { What } from './what.tsx';
import { When } from './when.tsx';
import { Who } from './who.tsx';
import { words } from './words.ts';

const folds: readonly FoldId[] = ['who', 'what', 'when', 'review'];

export function Folds({
  parts,
  preset,
  counted,
  missing,
  wasTried,
  tools,
  review,
  isLive,
  onReview,
}: {
  readonly parts: PartProps;
  readonly preset: readonly Channel[] | undefined;
  readonly counted: ReturnType<typeof useFilterCount>;
  readonly missing: ReturnType<typeof missingOf>;
  /** Whether a review was asked for: from then on, what is missing shows. */
  readonly wasTried: boolean;
  readonly tools: CampaignTools;
  readonly review: DryRunReview;
  readonly isLive: boolean;
  readonly onReview: () => void;
}) {
  const { draft } = parts;
  const [foldText, setFold] = useQueryParam('fold');
  const open = folds.find((one) => one === foldText) ?? (foldText === 'none' ? undefined : 'who');
  const foldProps = (id: FoldId) => ({
    title: words.folds[id],
    isOpen: open === id,
    lacks: wasTried ? missing.filter((one) => one.fold === id).length : 0,
    hasError: tools.error?.issues.some(({ field }) => foldOf(field) === id) ?? false,
    onToggle: () => setFold(open === id ? 'none' : id),
  });
  return (
    <>
      <Fold {...foldProps('who')} summary={<AudienceSummary draft={draft} counted={counted} />}>
        <Who {...parts} preset={preset} counted={counted} />
      </Fold>
      <Fold {...foldProps('what')} summary={<MessageSummary draft={draft} />}>
        <What {...parts} preset={preset} onGo={setFold} />
      </Fold>
      <Fold {...foldProps('when')} summary={scheduleText(bodyOf(draft).schedule, draft.atZone)}>
        <When {...parts} />
      </Fold>
      {!isLive && (
        <Fold {...foldProps('review')} summary={words.reviewIntro}>
          <Review
            draft={draft}
            missing={missing}
            review={review}
            campaign={tools.saved}
            onRun={onReview}
            onGo={setFold}
          />
        </Fold>
      )}
    </>
  );
}
