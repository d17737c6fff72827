// The screen of what a change was made to.

import type { App, AuditNote } from '../../api/generated.ts';
import { keyPlace } from '../../ui/thing-key.ts';

interface Place {
  /** The parts of an address: an app or `org`, the screen, what is below it. */
  readonly parts: readonly [app: string, screen: string, ...rest: readonly string[]];
  readonly tab?: string;
}

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;
/** `campaign` of `campaign.sent`. */
type Kind = KindOf<AuditNote['action']>;

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
  if (isOfOrg(kind)) return ofOrg[kind];
  if (kind === 'relay' && appId === null) return { parts: ['org', 'relays'] };
  if (appId === null || !apps.some(({ id }) => id === appId)) return undefined;
  const parts = ofApp[kind]?.(target);
  return parts && { parts: [appId, ...parts] };
}

export function kindOf(action: AuditNote['action']): Kind {
  return action.slice(0, action.indexOf('.')) as Kind;
}

const ofOrg = {
  member: { parts: ['org', 'team'] },
  key: { parts: ['org', 'team'], tab: 'keys' },
  client: { parts: ['org', 'clients'] },
  branding: { parts: ['org', 'branding'] },
  invoice: { parts: ['org', 'billing'] },
  billing: { parts: ['org', 'billing'] },
} as const satisfies Partial<Record<Kind, Place>>;

function isOfOrg(kind: Kind): kind is keyof typeof ofOrg {
  return Object.hasOwn(ofOrg, kind);
}

type PlaceInApp = (target: string) => readonly [screen: string, ...rest: readonly string[]];

/** `undefined` for what has no screen. */
const ofApp: Readonly<Record<Exclude<Kind, keyof typeof ofOrg>, PlaceInApp | undefined>> = {
  org: undefined,
  subscriber: undefined,
  subscribers: undefined,
  app: () => ['home'],
  campaign: (target) => ['campaigns', target],
  journey: (target) => ['journeys', target],
  template: (target) => ['messages', 'templates', target],
  credential: (target) => ['channels', target],
  email_domain: () => ['channels', 'email'],
  warm_up: () => ['channels', 'email'],
  integration: () => ['integrations'],
  write_key: () => ['integrations'],
  settings: () => ['settings'],
  identity_secret: () => ['settings'],
  sessions: (target) => ['people', target],
  topic: (target) => keyPlace('topics', target),
  form: (target) => keyPlace('forms', target),
  relay: () => ['channels', 'email'],
  suppression: () => ['suppressions'],
  doubtful_opt_out: () => ['suppressions'],
  dead_letters: () => ['activity'],
};
