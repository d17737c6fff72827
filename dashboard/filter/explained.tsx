// The answer of an explanation, in words.

import type { AnswerOf } from '../api/client.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { conditionSentence } from './kinds.ts';
import type { Condition } from './model.ts';
import { words } from './words.ts';

type Explained = AnswerOf<'explainSegment'>;
const text = words.explained;
const { facts } = text;

export function ExplainedConditions({ explained }: { readonly explained: Explained }) {
  return (
    <div className="explained" role="status">
      <Badge tone={explained.matches ? 'good' : 'off'}>
        {explained.matches ? text.isIn : text.isNotIn}
      </Badge>
      <ul>
        {explained.conditions.map((one) => (
          <li key={one.path} className={one.holds ? 'holds' : 'fails'}>
            <Icon name={one.holds ? 'check' : 'close'} />
            <span className="sr-only">{one.holds ? text.holds : text.fails}</span>
            <div>
              <div>{conditionSentence(one.condition as unknown as Condition)}</div>
              <div className="soft">
                <Fact one={one} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ one }: { readonly one: Explained['conditions'][number] }) {
  if (one.devices !== undefined)
    return one.devices.length === 0
      ? facts.noDevices
      : one.devices.map((device) => (
          <div key={device.id}>
            {device.optedOut
              ? facts.optedOut
              : device.enabled
                ? facts.reachable
                : facts.disabled(device.disabledReason ?? '')}
          </div>
        ));
  if (one.count !== undefined) return facts.count(one.count);
  if (one.lastAt !== undefined)
    return (
      <>
        {one.lastAt === null ? facts.never : facts.lastAt} {one.lastAt && <Time at={one.lastAt} />}
        {one.createdAt !== undefined && (
          <div>
            {facts.createdAt} <Time at={one.createdAt} />
          </div>
        )}
      </>
    );
  if (one.value === null) return facts.noValue;
  return one.value === undefined ? null : facts.value(JSON.stringify(one.value));
}
