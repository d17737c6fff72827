// Email: its sender, how it offers to unsubscribe, and whether it tells opens and clicks.

import { Link } from 'wouter';
import type { AppSettings } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Check, RadioCards, SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

type Way = NonNullable<AppSettings['unsubscribe']> | 'default';

export function Sender({
  draft,
  change,
  errorOf,
  platform,
}: PartProps & { readonly platform: string | null }) {
  const app = useApp();
  const text = words.sender;
  return (
    <Section
      id="sender"
      title={text.title}
      intro={text.intro}
      aside={<Link to={appPath(app.id, 'channels', 'email')}>{text.domains}</Link>}
    >
      <Field label={text.fromName} error={errorOf('fromName')} isOptional>
        <TextInput value={draft.fromName} onChange={(name) => change({ fromName: name })} />
      </Field>
      <Field
        label={text.fromAddress}
        hint={text.fromHint(platform)}
        error={errorOf('fromAddress')}
        isOptional
      >
        <TextInput
          type="email"
          placeholder={platform ?? undefined}
          value={draft.fromAddress}
          onChange={(address) => change({ fromAddress: address })}
        />
      </Field>
      <Field label={text.replyTo} hint={text.replyHint} error={errorOf('replyTo')} isOptional>
        <TextInput
          type="email"
          value={draft.replyTo}
          onChange={(address) => change({ replyTo: address })}
        />
      </Field>
    </Section>
  );
}

export function Unsubscribe({ draft, change, errorOf }: PartProps) {
  const text = words.unsubscribe;
  const ways = Object.entries(text.ways).map(([way, label]) => ({ value: way as Way, label }));
  return (
    <Section id="unsubscribe" title={text.title} intro={text.intro}>
      <Field label={text.way} error={errorOf('unsubscribe')}>
        <SelectBox
          choices={ways}
          value={draft.unsubscribe ?? 'default'}
          onChange={(way) => change({ unsubscribe: way === 'default' ? null : way })}
        />
      </Field>
      <RadioCards
        label={text.scope}
        choices={(['all', 'marketing'] as const).map((scope) => ({
          value: scope,
          ...text.scopes[scope],
        }))}
        value={draft.unsubscribeScope}
        onChange={(scope) => change({ unsubscribeScope: scope })}
      />
      <Field label={text.text} hint={text.textHint} error={errorOf('unsubscribeText')} isOptional>
        <TextInput
          value={draft.unsubscribeText}
          onChange={(words_) => change({ unsubscribeText: words_ })}
        />
      </Field>
    </Section>
  );
}

export function Tracking({ draft, change }: PartProps) {
  const text = words.tracking;
  return (
    <Section id="tracking" title={text.title} intro={text.intro}>
      <Check isChecked={draft.emailTracking} onChange={(isOn) => change({ emailTracking: isOn })}>
        {text.on}
      </Check>
    </Section>
  );
}

/** Whether an address that signs up confirms it first. */
export function SignUps({ draft, change, errorOf }: PartProps) {
  const app = useApp();
  const text = words.signUps;
  const error = errorOf('doubleOptIn');
  return (
    <Section
      id="sign-ups"
      title={text.title}
      intro={text.intro}
      aside={
        <p>
          <Link to={appPath(app.id, 'topics')}>{text.topics}</Link> ·{' '}
          <Link to={appPath(app.id, 'forms')}>{text.forms}</Link>
        </p>
      }
    >
      <Check isChecked={draft.doubleOptIn} onChange={(doubleOptIn) => change({ doubleOptIn })}>
        {text.ask}
      </Check>
      <p className="field-hint">{text.hint}</p>
      <Check
        isChecked={draft.refuseDisposableAddresses}
        onChange={(isOn) => change({ refuseDisposableAddresses: isOn })}
      >
        {text.disposable}
      </Check>
      <p className="field-hint">{text.disposableHint}</p>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Section>
  );
}
