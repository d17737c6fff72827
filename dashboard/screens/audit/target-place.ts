// The screen of what a change was made to.

import type { App, AuditNote } from '../../api/generated.ts';

interface Place {
  /** The parts of an address: an app or `org`, the screen, what is below it. */
  readonly parts: readonly [app: string, screen: string, ...rest: readonly string[]];
  readonly tab?: string;
}

/** `undefined` for what is gone or has no screen. */
export function targetPlace(
  {
    action,
    target,
    targetExists,
    appId,
  }: Pick<AuditNote, 'action' | 'target' | 'targetExists' | 'appId'>,
  apps: readonly Pick<App, 'id'>[],
): Place | undefined {
  const kind = kindOf(action);
  if (targetExists === false) return undefined;
  if (targetExists === null && kind === 'template') return undefined;
  if (kind in ofOrg) return ofOrg[kind];
  if (appId === null || !apps.some(({ id }) => id === appId)) return undefined;
  const parts = ofApp[kind]?.(target);
  return parts && { parts: [appId, ...parts] };
}

/** `campaign` of `campaign.sent`. */
export function kindOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}

const ofOrg: Readonly<Record<string, Place>> = {
  member: { parts: ['org', 'team'] },
  key: { parts: ['org', 'team'], tab: 'keys' },
  client: { parts: ['org', 'clients'] },
  branding: { parts: ['org', 'branding'] },
  invoice: { parts: ['org', 'billing'] },
  billing: { parts: ['org', 'billing'] },
};

const ofApp: Readonly<
  Record<string, (target: string) => readonly [screen: string, ...rest: readonly string[]]>
> = {
  app: () => ['home'],
  campaign: (target) => ['campaigns', target],
  journey: (target) => ['journeys', target],
  template: (target) => ['messages', 'templates', target],
  credential: (target) => ['channels', target],
  email_domain: () => ['channels', 'email'],
  integration: () => ['integrations'],
  write_key: () => ['integrations'],
  settings: () => ['settings'],
  identity_secret: () => ['settings'],
  sessions: (target) => ['people', target],
  suppression: () => ['suppressions'],
  doubtful_opt_out: () => ['suppressions'],
  dead_letters: () => ['activity'],
};
