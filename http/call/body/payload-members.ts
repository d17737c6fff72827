// Finds what nobody reads in the `payload` of content. It is open, but each channel's object in it
// is closed: a template with `bodyParam` would go out without its texts. Content keeps what it
// does not know here, so a warning is all that changes.

import { payloadMembers } from '../../../actors/content/accept/provider-template.ts';
import { contentFields } from '../../../actors/content/shape/message-schema.ts';
import { isObject, type MemberTree } from '../../../actors/is-object.ts';
import { nearName } from '../../../actors/near-name.ts';
import { type Found, type MembersCheck, membersBy, type Path } from './unknown-members.ts';
import { unsupportedWithin } from './unsupported-content.ts';

const trees: Readonly<Record<string, MemberTree>> = payloadMembers;
const channels = Object.keys(trees);
const stored = { isStored: true } as const;

const payloadCheck: MembersCheck = (payload, path, found) => {
  if (!isObject(payload)) return;
  for (const [at, name, why] of unsupportedWithin(payload))
    found.refuse([...path, ...at], name, why);
  for (const [name, value] of Object.entries(payload)) {
    const tree = Object.hasOwn(trees, name) ? trees[name] : undefined;
    if (tree !== undefined) treeCheck(tree, value, [...path, name], found);
    else if (isMisnamed(name, value)) found.add(path, name, channels, {}, stored);
  }
};

// Not beside the schema of bodies: each route would reach every channel's files.
membersBy(contentFields.payload, payloadCheck);

/** `whatsApp: {templateName}`; a name that is only near may be the caller's own. */
function isMisnamed(name: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  const [sign] = Object.keys(trees[nearName(name, channels) ?? ''] ?? {});
  return sign !== undefined && Object.hasOwn(value, sign);
}

function treeCheck(tree: MemberTree, value: unknown, path: Path, found: Found): void {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) treeCheck(tree, one, [...path, index], found);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inside = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (inside === undefined) found.add(path, name, Object.keys(tree), {}, stored);
    else if (inside !== null) treeCheck(inside, member, [...path, name], found);
  }
}
