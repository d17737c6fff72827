// What a change was made to: its name, with a link where it has a screen. Its id is a click away.

import { Link } from 'wouter';
import type { App, AuditNote, Channel } from '../../api/generated.ts';
import { appPath, withParams } from '../../ui/address.ts';
import { Copyable } from '../../ui/code.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import { channelLabels } from '../../words/channels.ts';
import { kindOf, targetPlace } from './target-place.ts';
import { words } from './words.ts';

interface TargetProps {
  readonly one: AuditNote;
  readonly apps: readonly Pick<App, 'id'>[];
}

/** In a row. On a phone the row opens its entry, which has the link. */
export function TargetCell({ one, apps }: TargetProps) {
  return useIsNarrow() ? (nameOf(one) ?? one.target) : <Target one={one} apps={apps} />;
}

export function Target({ one, apps }: TargetProps) {
  const place = targetPlace(one, apps);
  const name = nameOf(one);
  if (place === undefined)
    return <Copyable text={one.target} {...(name === undefined ? {} : { shown: name })} />;
  return (
    <Link
      to={withParams(appPath(...place.parts), { tab: place.tab })}
      className="cell-link"
      title={one.target}
    >
      {name ?? one.target}
    </Link>
  );
}

const ofChannels: ReadonlySet<string> = new Set(['credential', 'suppression', 'doubtful_opt_out']);

/** `undefined` where only the id tells. */
function nameOf({ action, target, targetName }: AuditNote): string | undefined {
  if (targetName !== null) return targetName;
  const kind = kindOf(action);
  const isChannel = ofChannels.has(kind) && target in channelLabels;
  return isChannel ? channelLabels[target as Channel] : words.targets[kind];
}
