// The four fields of branding. An inherited value is gray until one overrides it.

import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.ts';
import type { Branding } from '../../api/generated.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Contrast } from './contrast-note.tsx';
import type { Own } from './own.ts';
import { words } from './words.ts';

interface FieldsProps {
  readonly draft: Own;
  readonly change: (part: Partial<Own>) => void;
  readonly present: Branding;
  readonly error: ApiError | undefined;
}

export function BrandingFields(props: FieldsProps) {
  const { draft, change, present, error } = props;
  const { productName } = draft;
  return (
    <div className="card card-body stack">
      <Inheritable
        title={words.name}
        isOwn={productName !== null}
        inherited={present.productName}
        onOverride={() => change({ productName: present.productName })}
        onFollow={() => change({ productName: null })}
      >
        <Field
          label={words.name}
          isLabelHidden
          hint={words.nameHint}
          error={error?.of('productName')}
        >
          <TextInput value={productName ?? ''} onChange={(name) => change({ productName: name })} />
        </Field>
      </Inheritable>
      <LogoField {...props} />
      <AccentField {...props} />
      <HideField {...props} />
    </div>
  );
}

function LogoField({ draft: { logoUrl }, change, present, error }: FieldsProps) {
  return (
    <Inheritable
      title={words.logo}
      isOwn={logoUrl !== null}
      inherited={present.logoUrl ?? words.logoNone}
      onOverride={() => change({ logoUrl: present.logoUrl ?? '' })}
      onFollow={() => change({ logoUrl: null })}
    >
      <Field label={words.logo} isLabelHidden hint={words.logoHint} error={error?.of('logoUrl')}>
        <TextInput
          inputMode="url"
          spellCheck={false}
          placeholder={words.logoExample}
          value={logoUrl ?? ''}
          onChange={(url) => change({ logoUrl: url })}
        />
      </Field>
    </Inheritable>
  );
}

function AccentField({ draft: { accentColor }, change, present, error }: FieldsProps) {
  return (
    <Inheritable
      title={words.accent}
      isOwn={accentColor !== null}
      inherited={present.accentColor ?? words.accentNone}
      onOverride={() => change({ accentColor: present.accentColor ?? '#3f4bc9' })}
      onFollow={() => change({ accentColor: null })}
    >
      <Field
        label={words.accent}
        isLabelHidden
        hint={words.accentHint}
        error={error?.of('accentColor')}
      >
        <ColorInput
          value={accentColor ?? ''}
          onChange={(color) => change({ accentColor: color })}
        />
      </Field>
      <Contrast color={accentColor ?? ''} />
    </Inheritable>
  );
}

function HideField({ draft: { hideServiceBranding }, change, present }: FieldsProps) {
  return (
    <Inheritable
      title={words.hide}
      isOwn={hideServiceBranding !== null}
      inherited={present.hideServiceBranding ? words.yes : words.no}
      onOverride={() => change({ hideServiceBranding: !present.hideServiceBranding })}
      onFollow={() => change({ hideServiceBranding: null })}
    >
      <Check
        isChecked={hideServiceBranding === true}
        onChange={(isOn) => change({ hideServiceBranding: isOn })}
      >
        {words.hide} <span className="soft">{words.hideHint}</span>
      </Check>
    </Inheritable>
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
