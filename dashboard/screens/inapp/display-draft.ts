// How the SDK shows an in-app message, as it is typed: every choice keeps what was filled in, also
// while another is chosen. No DOM types here.

import type { InAppDisplay } from '../../api/generated.ts';

type Prop = string | number | boolean;
type EventTrigger = Extract<NonNullable<InAppDisplay['trigger']>, { readonly event: string }>;

export const inAppKinds = ['modal', 'banner', 'card', 'push-prompt', 'none'] as const;

export interface DisplayDraft {
  readonly kind: InAppDisplay['kind'];
  readonly position: 'top' | 'bottom';
  readonly trigger: 'now' | 'seconds' | 'event';
  readonly afterSeconds: number | undefined;
  readonly event: string;
  /** A value as people type it: `42` is a number and `"42"` a text. */
  readonly where: readonly { readonly name: string; readonly value: string }[];
  readonly maxShows: number | undefined;
  readonly everyHours: number | undefined;
  readonly isDismissible: boolean;
}

const usual: DisplayDraft = {
  kind: 'modal',
  position: 'bottom',
  trigger: 'now',
  afterSeconds: 10,
  event: '',
  where: [],
  maxShows: undefined,
  everyHours: undefined,
  isDismissible: true,
};

export function displayDraft(display: InAppDisplay | null): DisplayDraft {
  if (display === null) return usual;
  const { kind, position = 'bottom', trigger, maxShows, everyHours, dismissible = true } = display;
  return {
    ...usual,
    kind,
    position,
    ...triggerDraft(trigger),
    maxShows,
    everyHours,
    isDismissible: dismissible,
  };
}

function triggerDraft(trigger: InAppDisplay['trigger']): Partial<DisplayDraft> {
  if (trigger === undefined) return {};
  if ('afterSeconds' in trigger) return { trigger: 'seconds', afterSeconds: trigger.afterSeconds };
  const where = Object.entries(trigger.where ?? {});
  return {
    trigger: 'event',
    event: trigger.event,
    where: where.map(([name, value]) => ({ name, value: textOfProp(value) })),
  };
}

/** `null` for what holds without it: a modal that is shown at once. */
export function displayBody(draft: DisplayDraft): InAppDisplay | null {
  const { kind, position, maxShows, everyHours, isDismissible } = draft;
  const trigger = triggerBody(draft);
  const display = {
    kind,
    ...(kind !== 'modal' && position === 'top' && { position }),
    ...(trigger !== undefined && { trigger }),
    ...(maxShows !== undefined && { maxShows }),
    ...(everyHours !== undefined && { everyHours }),
    ...(!isDismissible && { dismissible: false }),
  };
  return kind === 'modal' && Object.keys(display).length === 1 ? null : display;
}

function triggerBody(draft: DisplayDraft): InAppDisplay['trigger'] | undefined {
  if (draft.trigger === 'now') return undefined;
  if (draft.trigger === 'seconds') return { afterSeconds: draft.afterSeconds ?? 0 };
  const named = draft.where.filter(({ name }) => name.trim() !== '');
  const where: NonNullable<EventTrigger['where']> = Object.fromEntries(
    named.map(({ name, value }) => [name.trim(), propOfText(value)]),
  );
  return { event: draft.event.trim(), ...(named.length > 0 && { where }) };
}

/** What is written as JSON writes it is a number, yes or no, or a quoted text; all else is text. */
function propOfText(text: string): Prop {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    return typeof value === 'number' && String(value) === text.trim() ? value : text;
  } catch {
    return text;
  }
}

function textOfProp(value: Prop): string {
  if (typeof value !== 'string') return String(value);
  return propOfText(value) === value ? value : JSON.stringify(value);
}
