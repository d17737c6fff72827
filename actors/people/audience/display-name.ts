// A person's name, from the tags that the app's settings name: for people who read lists.

import type { TagValue } from '../../../storage/tables/subscriber.ts';

/** The setting: tags in the order in which they make a name. */
export interface NameSetting {
  readonly displayName?: readonly string[] | null;
}

type Tags = Readonly<Record<string, TagValue>>;

/** Without a setting: the whole name, or its two parts. */
const wholeName = 'name';
const nameParts = ['first_name', 'last_name'] as const;

/** Tags that a search by name looks at. */
export function nameTags({ displayName }: NameSetting): readonly string[] {
  return displayName ?? [wholeName, ...nameParts];
}

/** `null` for a person without any of them. */
export function displayNameOf({ displayName }: NameSetting, tags: Tags): string | null {
  if (displayName != null) return joined(displayName, tags);
  return joined([wholeName], tags) ?? joined(nameParts, tags);
}

function joined(names: readonly string[], tags: Tags): string | null {
  const parts = names.flatMap((name) => {
    const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [String(value).trim()] : [];
  });
  return parts.filter((part) => part !== '').join(' ') || null;
}
