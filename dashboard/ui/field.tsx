// A form's field: its name, the control, a hint, and what is wrong with it.

import { createContext, type ReactNode, useContext, useEffect, useId } from 'react';
import type { ApiError } from '../api/errors.ts';
import { words } from '../words/en.ts';
import { Icon } from './icon.tsx';

interface FieldIds {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

const FieldContext = createContext<FieldIds | undefined>(undefined);

export function Field({
  label,
  hint,
  error,
  isOptional = false,
  isLabelHidden = false,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly isLabelHidden?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <FieldContext value={{ id, describedBy: describedBy || undefined, isInvalid: !!error }}>
      <div className="field">
        <label className={isLabelHidden ? 'sr-only' : 'field-label'} htmlFor={id}>
          {label}
          {isOptional && <span className="optional"> {words.field.optional}</span>}
        </label>
        {children}
        {hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {error && (
          <p className="field-error" id={`${id}-error`} role="alert">
            <Icon name="warning" />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** What a control within a field must wear. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  if (field === undefined) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.isInvalid || undefined,
  };
}

/** Leads to the first field that the server refused, which may be out of sight. */
export function useFocusError(error: ApiError | undefined): void {
  useEffect(() => {
    if (error === undefined || error.issues.length === 0) return;
    document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
}
