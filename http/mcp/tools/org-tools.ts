// Tools for the org's usage, and for one person.

import { z } from 'zod';
import { FaultError } from '../../../engine/base/fault.ts';
import { faultOfIssues } from '../../call/answer/errors.ts';
import { callRoute } from '../../call/inner-call.ts';
import type { subscriberSchema } from '../../routes/audience/subscriber-view.ts';
import { readSubscriber } from '../../routes/audience/subscribers.ts';
import { recipientFields, recipientOf } from '../../routes/notifications/recipient.ts';
import { readUsage } from '../../routes/org/read-usage.ts';
import { counted } from '../quoted.ts';
import { routeArguments, routeTool, type Tool } from '../tool.ts';

interface Usage {
  readonly month: string;
  readonly mau: number;
  readonly byApp: readonly unknown[];
  readonly clients: readonly { readonly mau: number }[];
  readonly emails: { readonly delivered: number; readonly overage: number };
}

/** Of each list: an agency may have ten thousand clients, and a model reads all of an answer. */
const shownMax = 100;

const orgUsage = routeTool<Usage>({
  name: 'org_usage',
  title: "Read the org's usage",
  description:
    'Monthly active users and delivered emails of the org in a month, by app and client workspace. It lists the apps of the org with their ids and names. With more than 100 apps it shows the first ones, with more than 100 client workspaces those with the most active users; the sums include all. Needs an org-scoped key.',
  effect: 'reads',
  route: readUsage,
  text: (usage) => {
    const { month, mau, byApp, clients, emails } = usage;
    const hidden = notShown(usage);
    const sentences = [
      `In ${month} the org had ${counted(mau, 'monthly active user')} in ${namedCounts(byApp.length, clients.length)}, and ${counted(emails.delivered, 'delivered email')}, ${emails.overage} of them beyond the allowance.`,
    ];
    if (hidden !== undefined) {
      const kinds = [
        ...(hidden.apps === 0 ? [] : [counted(hidden.apps, 'app')]),
        ...(hidden.clients === 0 ? [] : [counted(hidden.clients, 'client workspace')]),
      ];
      sentences.push(`Not shown: ${kinds.join(' and ')}; GET /v1/org/usage has all.`);
    }
    return sentences.join(' ');
  },
  data(usage) {
    const hidden = notShown(usage);
    if (hidden === undefined) return usage;
    const byPeople = usage.clients.toSorted((one, other) => other.mau - one.mau);
    const byApp = usage.byApp.slice(0, shownMax);
    return { ...usage, byApp, clients: byPeople.slice(0, shownMax), notShown: hidden };
  },
});

function notShown({ byApp, clients }: Usage) {
  const beyond = (list: readonly unknown[]) => Math.max(0, list.length - shownMax);
  const hidden = { apps: beyond(byApp), clients: beyond(clients) };
  return hidden.apps + hidden.clients === 0 ? undefined : hidden;
}

/** `2 apps and 1 client workspace`; without clients only the apps. */
function namedCounts(apps: number, clients: number): string {
  const ofApps = counted(apps, 'app');
  return clients === 0 ? ofApps : `${ofApps} and ${counted(clients, 'client workspace')}`;
}

const reading = routeArguments(readSubscriber, { appId: 'appId' });
const personArguments = z.object(recipientFields);

const findSubscriber: Tool = {
  name: 'find_subscriber',
  title: 'Find a person',
  description:
    'Finds one person by `subscriberId` or by `externalUserId`: their tags, devices, preferences and last activity.',
  effect: 'reads',
  routes: [readSubscriber],
  input: { ...reading.shape, ...recipientFields },
  async run(caller, args) {
    const named = personArguments.safeParse(args, { reportInput: true });
    if (!named.success) throw new FaultError(faultOfIssues(named.error, 'body'));
    const ref = recipientOf(named.data);
    const id = 'id' in ref ? ref.id : `external:${ref.externalUserId}`;
    const input = reading.input(caller, args);
    const params = { ...input.params, id };
    const person = (await callRoute(caller, readSubscriber, { ...input, params })).body as z.output<
      typeof subscriberSchema
    >;
    const channels = [...new Set(person.devices.map(({ channel }) => channel))].join(', ');
    return {
      text: `The person ${person.id} was found, with ${counted(Object.keys(person.tags).length, 'tag')} and ${counted(person.devices.length, 'device')}${channels === '' ? '' : ` (${channels})`}.`,
      data: person,
    };
  },
};

export const orgTools: readonly Tool[] = [orgUsage, findSubscriber];
