// What a kind of step brings: how it is called, read and edited.

import type { ComponentType } from 'react';
import type { IconName } from '../ui/icon-paths.ts';
import type { Step } from './model.ts';

interface StepIssue {
  /** Within the step: `minutes`, `filter.all[0].tag`, or nothing for the step as a whole. */
  readonly field: string;
  readonly error: string;
}

export interface FormProps<Kind extends Step = Step> {
  readonly step: Kind;
  readonly onChange: (step: Kind) => void;
  /** The server's. */
  readonly issues: readonly StepIssue[];
  errorOf(field: string): string | undefined;
}

/** Names of what steps refer to by id. */
export type MessageNames = ReadonlyMap<string, string>;

export interface StepKind<Kind extends Step = Step> {
  readonly id: string;
  readonly label: string;
  /** What it does, beside its label in the menu. */
  readonly text: string;
  readonly icon: IconName;
  owns(step: Step): step is Kind;
  blank(id: string): Kind;
  /** What a new one is called. */
  readonly name: string;
  /** What the step does, on its card and read aloud. */
  sentence(step: Kind, names: MessageNames): string;
  isComplete(step: Kind): boolean;
  readonly Form: ComponentType<FormProps<Kind>>;
}
