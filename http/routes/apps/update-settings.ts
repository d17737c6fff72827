// Changes an app's settings; what is left out stays.

import { key, route } from '../../route.ts';
import { settingsMessage, settingsPatch, settingsSchema, settingsView } from './settings-shape.ts';

export const updateSettings = route({
  method: 'PATCH',
  path: '/v1/apps/:id/settings',
  summary: "Change an app's settings",
  description: 'What is left out stays as it is.',
  tag: 'Apps',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  body: settingsPatch,
  responses: { 200: { description: 'The settings as they are now.', schema: settingsSchema } },
  refusals: [404],
  async handle(call) {
    const patch = settingsMessage(call.body);
    const settings = await call.ask(call.app(), 'settings.patch', { patch });
    return { status: 200, body: settingsView(settings) };
  },
});
