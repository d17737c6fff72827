// Tools for the org's usage, and for one person.

import { z } from 'zod';
import { FaultError } from '../../../engine/base/fault.ts';
import { faultOfIssues } from '../../errors.ts';
import { readSubscriber } from '../../routes/audience/read-subscriber.ts';
import type { subscriberSchema } from '../../routes/audience/subscriber-view.ts';
import { recipientFields, recipientOf } from '../../routes/notifications/recipient.ts';
import { readUsage } from '../../routes/org/read-usage.ts';
import { callRoute } from '../inner-call.ts';
import { counted } from '../quoted.ts';
import { routeArguments, routeTool, type Tool } from '../tool.ts';

interface Usage {
  readonly month: string;
  readonly mau: number;
  readonly byApp: readonly unknown[];
  readonly emails: { readonly delivered: number; readonly overage: number };
}

const orgUsage = routeTool<Usage>({
  name: 'org_usage',
  title: "Read the org's usage",
  description:
    'Monthly active users and delivered emails of the org in a month, by app. It lists the apps of the org with their ids and names. Needs an org-scoped key.',
  effect: 'reads',
  route: readUsage,
  text: ({ month, mau, byApp, emails }) =>
    `In ${month} the org had ${counted(mau, 'monthly active user')} in ${counted(byApp.length, 'app')}, and ${counted(emails.delivered, 'delivered email')}, ${emails.overage} of them beyond the allowance.`,
});

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
