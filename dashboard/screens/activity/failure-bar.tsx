// Above the failures: one reason, one lane, and the button that sends all of them again.

import type { DeadLetter } from '../../api/generated.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { count } from '../../ui/figure.tsx';
import { reasonText } from '../../words/send-reasons.ts';
import { mayRepeat, openOf, type useFailures } from './failure-reasons.tsx';
import type { Asked } from './redrive-dialog.tsx';
import { words } from './words.ts';

const any = '';

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
  const [reason, setReason] = useQueryParam('reason');
  const [lane, setLane] = useQueryParam('lane');
  const reasons = [...new Set([...failures.map((one) => one.reason), ...(reason ? [reason] : [])])];
  return (
    <div className="screen-bar">
      <SelectBox
        isAuto
        label={words.reason}
        choices={[
          { value: any, label: words.anyReason },
          ...reasons.map((value) => ({ value, label: reasonText(value) })),
        ]}
        value={reason ?? any}
        onChange={(value) => setReason(value || undefined)}
      />
      <SelectBox
        isAuto
        label={words.lane}
        choices={[{ value: any, label: words.anyLane }, ...lanes]}
        value={lane ?? any}
        onChange={(value) => setLane(value || undefined)}
      />
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
