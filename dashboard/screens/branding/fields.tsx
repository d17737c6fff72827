// The four fields of branding. An inherited value is gray until one overrides it.

import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.ts';
import type { Branding } from '../../api/generated.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import type { Draft } from '../../ui/draft.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Contrast } from './contrast-note.tsx';
import type { Own } from './own.ts';
import { words } from './words.ts';

export function BrandingFields({
  draft,
  present,
  error,
}: {
  readonly draft: Draft<Own>;
  readonly present: Branding;
  readonly error: ApiError | undefined;
}) {
  const { value, set } = draft;
  const { productName, logoUrl, accentColor, hideServiceBranding } = value;
  return (
    <div className="card card-body stack">
      <Inheritable
        title={words.name}
        isOwn={productName !== null}
        inherited={present.productName}
        onOverride={() => set('productName', present.productName)}
        onFollow={() => set('productName', null)}
      >
        <Field
          label={words.name}
          isLabelHidden
          hint={words.nameHint}
          error={error?.of('productName')}
        >
          <TextInput value={productName ?? ''} onChange={(name) => set('productName', name)} />
        </Field>
      </Inheritable>
      <Inheritable
        title={words.logo}
        isOwn={logoUrl !== null}
        inherited={present.logoUrl ?? words.logoNone}
        onOverride={() => set('logoUrl', present.logoUrl ?? '')}
        onFollow={() => set('logoUrl', null)}
      >
        <Field label={words.logo} isLabelHidden hint={words.logoHint} error={error?.of('logoUrl')}>
          <TextInput
            inputMode="url"
            spellCheck={false}
            placeholder={words.logoExample}
            value={logoUrl ?? ''}
            onChange={(url) => set('logoUrl', url)}
          />
        </Field>
      </Inheritable>
      <Inheritable
        title={words.accent}
        isOwn={accentColor !== null}
        inherited={present.accentColor ?? words.accentNone}
        onOverride={() => set('accentColor', present.accentColor ?? '#3f4bc9')}
        onFollow={() => set('accentColor', null)}
      >
        <Field
          label={words.accent}
          isLabelHidden
          hint={words.accentHint}
          error={error?.of('accentColor')}
        >
          <ColorInput value={accentColor ?? ''} onChange={(color) => set('accentColor', color)} />
        </Field>
        <Contrast color={accentColor ?? ''} />
      </Inheritable>
      <Inheritable
        title={words.hide}
        isOwn={hideServiceBranding !== null}
        inherited={present.hideServiceBranding ? words.yes : words.no}
        onOverride={() => set('hideServiceBranding', !present.hideServiceBranding)}
        onFollow={() => set('hideServiceBranding', null)}
      >
        <Check
          isChecked={hideServiceBranding === true}
          onChange={(isOn) => set('hideServiceBranding', isOn)}
        >
          {words.hide} <span className="soft">{words.hideHint}</span>
        </Check>
      </Inheritable>
    </div>
  );
}

function Inheritable({
  title,
  isOwn,
  inherited,
  onOverride,
  onFollow,
  children,
}: {
  readonly title: string;
  readonly isOwn: boolean;
  readonly inherited: string;
  readonly onOverride: () => void;
  readonly onFollow: () => void;
  readonly children: ReactNode;
}) {
  return (
    <div className="inheritable">
      <div className="row-between">
        <h2>{title}</h2>
        <Button size="small" kind="quiet" onClick={isOwn ? onFollow : onOverride}>
          {isOwn ? words.follow : words.override}
          <span className="sr-only"> {title}</span>
        </Button>
      </div>
      {isOwn ? (
        children
      ) : (
        <p className="inherited">
          <span className="ellipsis">{inherited}</span>
          <Badge tone="off">{words.inherited}</Badge>
        </p>
      )}
    </div>
  );
}

function ColorInput({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <div className="color-input">
      <input
        type="color"
        aria-label={words.pick}
        value={isColor ? value : '#000000'}
        onChange={(event) => onChange(event.target.value)}
      />
      <TextInput isNarrow spellCheck={false} value={value} onChange={onChange} />
    </div>
  );
}
