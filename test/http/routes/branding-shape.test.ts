import t from 'tap';
import { FaultError } from '../../../engine/base/fault.ts';
import { brandingPatch } from '../../../http/routes/org/branding-shape.ts';

t.test(
  'a logo on a host of this network is refused, unless private networks are allowed',
  async (t) => {
    const logos = [
      'https://10.0.0.1/x',
      'https://169.254.169.254/',
      'https://localhost/',
      'https://127.0.0.1/logo.png',
      'https://[::1]/logo.png',
    ];
    for (const logoUrl of logos) {
      try {
        brandingPatch({ logoUrl }, false);
        t.fail(logoUrl);
      } catch (error) {
        t.type(error, FaultError, logoUrl);
        t.match((error as FaultError).fault, {
          field: 'logoUrl',
          message: 'logoUrl: expected a public address',
        });
      }
      t.same(brandingPatch({ logoUrl }, true), { logoUrl }, logoUrl);
    }
    const logoUrl = 'https://cdn.example.com/logo.png';
    t.same(brandingPatch({ logoUrl }, false), { logoUrl });
  },
);
