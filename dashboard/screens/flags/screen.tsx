// Feature flags: the table, and one flag.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Answer } from '../../ui/note.tsx';
import { isNewThing } from '../../ui/thing-key.ts';
import type { ScreenProps } from '../screen-props.ts';
import { FlagEditor } from './editor.tsx';
import { FlagList } from './list.tsx';

export default function Flags({ rest }: ScreenProps) {
  const [key] = rest;
  if (key === undefined) return <FlagList />;
  if (isNewThing(rest)) return <FlagEditor key=" new" saved={undefined} />;
  return <SavedFlag key={key} flagKey={key} />;
}

function SavedFlag({ flagKey }: { readonly flagKey: string }) {
  const app = useApp();
  const read = useRead('readFlag', { path: { appId: app.id, key: flagKey } });
  return <Answer result={read}>{(flag) => <FlagEditor saved={flag} />}</Answer>;
}
