// How email is talked to with all relays that tenants have.

import { emailProvider } from '../email/provider.ts';
import type { Provider } from '../port/provider.ts';

export const mailProvider: Provider = {
  ...emailProvider,
  async adapter() {
    const { createEmail } = await import('../email/adapter.ts');
    const { RelayAccounts } = await import('./relay-accounts.ts');
    return (context) => createEmail(context, new RelayAccounts(context));
  },
};
