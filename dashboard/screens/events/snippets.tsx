// How an app sends its events: from a backend, from a browser, from a customer-data platform. Each
// is ready to paste, with this app's id.

import { Link } from 'wouter';
import { useApp } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { type SnippetKind, snippetKinds, snippetOf } from './snippet-text.ts';
import { words } from './words.ts';

const text = words.snippets;

export function Snippets() {
  const app = useApp();
  const [param, setParam] = useQueryParam('from');
  const kind: SnippetKind = snippetKinds.find((one) => one === param) ?? 'curl';
  const [name] = useQueryParam('name');
  return (
    <div className="stack-tight snippets">
      <Segmented
        label={text.label}
        value={kind}
        choices={snippetKinds.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={(next) => setParam(next === 'curl' ? undefined : next)}
      />
      <p className="soft">
        {text.notes[kind]}{' '}
        {kind === 'cdp' && <Link to={appPath(app.id, 'integrations')}>{text.writeKey}</Link>}
      </p>
      <CodeLine text={snippetOf(kind, { origin: location.origin, appId: app.id, name })} />
    </div>
  );
}
