// The sender of emails, as it stands in the app's settings.

import { Link } from 'wouter';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Facts } from '../../ui/figure.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import { CheckNow } from './check.tsx';
import type { useChannels } from './use-channels.ts';
import { words } from './words.ts';

const text = words.sender;

export function Sender({
  settings,
}: {
  readonly settings: ReturnType<typeof useChannels>['settings'];
}) {
  const app = useApp();
  return (
    <Section title={text.title} intro={text.intro}>
      <Answer result={settings} rows={2}>
        {({ email }) => {
          const address = email.fromAddress ?? email.platformAddress;
          if (address === null) return <Note tone="notice">{text.none}</Note>;
          const from = email.fromName === null ? address : `${email.fromName} <${address}>`;
          const note = email.fromAddress === null ? ` (${text.platform})` : '';
          return (
            <Facts
              items={[
                [text.from, `${from}${note}`],
                [text.replyTo, email.replyTo ?? address],
              ]}
            />
          );
        }}
      </Answer>
      <CheckNow channel="email" />
      <p>
        <Link to={`${appPath(app.id, 'settings')}#sender`}>{text.edit}</Link>
      </p>
    </Section>
  );
}
