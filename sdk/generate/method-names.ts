// What each operation is called in clients for servers: a group by its tag and a method by its
// name, by one rule. The exceptions are few; a test fails when a name would be ugly or not the only
// one of its group.

/** Groups whose tag would be too long. */
const groupNames: Readonly<Record<string, string>> = { 'Feature flags': 'flags' };

/** Where the rule makes no good name. */
const methodNames: Readonly<Record<string, string>> = {
  listSubscriberSegments: 'listOfSubscriber',
  checkStoredCredential: 'check',
  changeSubscribers: 'changeMany',
  putCredential: 'save',
  putWarmUp: 'warmUp',
  listOrgSessions: 'list',
  endOrgSession: 'end',
};

/** Operations that have no method although a key may call them, and why. */
export const withoutMethod: Readonly<Record<string, string>> = {
  callTools: 'assistants speak MCP to it, with a client of that protocol',
};

/** Tags whose operations have none, and why. */
export const withoutGroup: Readonly<Record<string, string>> = {
  'Other services': 'libraries of those services call them',
};

/** `messageTemplates` from `Message templates`. */
export function groupNameOf(tag: string): string {
  const given = groupNames[tag];
  if (given !== undefined) return given;
  const [first = '', ...rest] = tag.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return first.toLowerCase() + rest.map(capitalized).join('');
}

/** The operation's name without the noun of its group: `createSegment` is `segments.create`. */
export function methodNameOf(operationId: string, group: string): string {
  const given = methodNames[operationId];
  if (given !== undefined) return given;
  for (const noun of nounsOf(group)) {
    const at = new RegExp(`(?<=[a-z])${noun}(?=[A-Z]|$)`).exec(operationId)?.index;
    if (at !== undefined) return operationId.slice(0, at) + operationId.slice(at + noun.length);
  }
  return operationId;
}

/** The method that exports as a file what another lists: `exportRecipients`. */
export function fileMethodNameOf(method: string): string {
  const noun = method.replace(/^[a-z]+/, '');
  return `export${noun}`;
}

/** What is wrong with a name, or `undefined`. */
export function complaintAbout(name: string): string | undefined {
  if (!/^[a-z]+([A-Z][a-z]+){0,2}$/.test(name))
    return 'expected a verb and at most two more words, without digits or short forms in capitals';
  if (name.length > 24) return 'expected at most 24 letters';
  if (/(Of|By|To|For|In|With|Api|App|Route|Post|Get|Put)$/.test(name))
    return 'ends in a word that says nothing';
  if (/^(get|post|put|patch)[A-Z]?$/.test(name)) return 'is the method of HTTP';
  if (['then', 'catch', 'finally', 'constructor', 'prototype'].includes(name))
    return 'means something else to the language';
  return undefined;
}

/** Plural first, and the longer noun before a shorter one in it. */
function nounsOf(group: string): readonly string[] {
  const plural = capitalized(group);
  const singular = plural.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
  return plural === singular ? [plural] : [plural, singular];
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
