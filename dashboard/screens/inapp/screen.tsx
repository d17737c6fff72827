// In-app messages: the table, and one of them.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Answer } from '../../ui/note.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { InAppEditor } from './editor.tsx';
import { InAppList } from './list.tsx';

export default function InApp({ rest }: ScreenProps) {
  const [id] = rest;
  if (id === undefined) return <InAppList />;
  if (id === 'new') return <InAppEditor key="new" saved={undefined} />;
  return <SavedInApp key={id} id={id} />;
}

function SavedInApp({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readInAppMessage', { path: { appId: app.id, id } });
  return <Answer result={read}>{(one) => <InAppEditor saved={one} />}</Answer>;
}
