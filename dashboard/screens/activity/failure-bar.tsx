// Above the failures: one reason, one lane, and the button that sends all of them again.

import type { DeadLetter } from '../../api/generated.ts';
import { FilterParam } from '../../kit/params.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { reasonText } from '../../words/send-reasons.ts';
import { mayRepeat, openOf, type useFailures } from './failure-reasons.tsx';
import type { Asked } from './redrive-dialog.tsx';
import { words } from './words.ts';

type Lane = DeadLetter['lane'];

const lanes = (Object.keys(words.lanes) as Lane[]).map((value) => ({
  value,
  label: words.lanes[value],
}));

interface BarProps {
  readonly failures: NonNullable<ReturnType<typeof useFailures>>;
  readonly refused: string | undefined;
  readonly onRedrive: (asked: Asked) => void;
}

export function FailureBar(props: BarProps) {
  const { failures } = props;
  const [reason] = useQueryParam('reason');
  const reasons = [...new Set([...failures.map((one) => one.reason), ...(reason ? [reason] : [])])];
  return (
    <div className="screen-bar">
      <FilterParam
        name="reason"
        label={words.reason}
        none={words.anyReason}
        choices={reasons.map((value) => ({ value, label: reasonText(value) }))}
      />
      <FilterParam name="lane" label={words.lane} none={words.anyLane} choices={lanes} />
      <span className="grow" />
      <RedriveAll {...props} reason={reason} />
    </div>
  );
}

/** Sends what is open again, of one reason where one is chosen. */
function RedriveAll({
  failures,
  refused,
  onRedrive,
  reason,
}: BarProps & { readonly reason: string | undefined }) {
  const open = openOf(failures, reason);
  if (open <= 0) return null;
  return (
    <Button
      kind="primary"
      icon="refresh"
      refused={refused}
      onClick={() =>
        onRedrive({
          what: reason === undefined ? { all: true, open } : { reason, open },
          action: words.redriveSome(count(open)),
          mayRepeat: failures
            .filter((one) => reason === undefined || one.reason === reason)
            .some((one) => one.count > one.recovered && mayRepeat(one)),
        })
      }
    >
      {reason === undefined ? words.redriveAll(count(open)) : words.redriveReason(count(open))}
    </Button>
  );
}
