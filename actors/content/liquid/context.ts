// What a template can read. Names resolve to `variables` of the call, then `subscriber` and `app`,
// then tags. Built-in names come before tags because an SDK may write tags: a person must not be
// able to change `{{ subscriber.id }}`. A hidden tag is `{{ subscriber.tags.app }}`.

import type { TagValue } from '../../../storage/tables/subscriber.ts';

export type Scalar = string | number | boolean;

/** The parts of a person that templates see, without devices and addresses. */
export interface TemplateSubscriber {
  readonly id: string;
  readonly externalUserId?: string;
  /** IANA zone. */
  readonly timezone?: string;
  readonly tags: Readonly<Record<string, TagValue>>;
}

export interface SendingApp {
  readonly name: string;
  /** IANA zone, for people without one. */
  readonly timezone: string;
}

/** What a render reads. Renders neither copy nor change it. */
export interface RenderContext {
  readonly variables: Readonly<Record<string, Scalar>>;
  readonly tags: Readonly<Record<string, TagValue>>;
  readonly subscriber: TemplateSubscriber;
  readonly app: { readonly name: string };
}

/**
 * `{{ preferences_url }}` is defined for everybody, on every lane. What it prints stands for the
 * person's own link, which the dispatcher puts in: a rendered text may be for several devices.
 */
export const preferencesName = 'preferences_url';
export const preferencesPlaceholder = 'https://preferences.engage.invalid/p';

const everywhere = { [preferencesName]: preferencesPlaceholder };

const none: Readonly<Record<string, never>> = Object.freeze(Object.create(null));

/**
 * The context of one person. Three small objects without a copy of the tags, so a fan-out can build
 * one per recipient. `person` may be a whole record; only what templates may see is used.
 */
export function renderContext(
  person: TemplateSubscriber,
  app: { readonly name: string },
  variables: Readonly<Record<string, Scalar>> = none,
): RenderContext {
  const { id, externalUserId, timezone, tags } = person;
  const subscriber: { -readonly [Member in keyof TemplateSubscriber]: TemplateSubscriber[Member] } =
    {
      id,
      tags,
    };
  if (externalUserId !== undefined) subscriber.externalUserId = externalUserId;
  if (timezone !== undefined) subscriber.timezone = timezone;
  return { variables, tags, subscriber, app: { name: app.name } };
}

/** The object whose own member `name` is what `{{ name }}` means; an empty one if there is none. */
export function scopeOf(context: RenderContext, name: string): object {
  if (Object.hasOwn(context.variables, name)) return context.variables;
  if (isBuiltIn(name)) return context;
  if (name === preferencesName) return everywhere;
  return Object.hasOwn(context.tags, name) ? context.tags : none;
}

export function isBuiltIn(name: string): name is 'subscriber' | 'app' {
  return name === 'subscriber' || name === 'app';
}
