// Makes an API key. The secret is made here, on the edge: actors only ever see its hash.

import { newId } from '../../../engine/base/id.ts';
import { makeKey, slotOfKey } from '../../authenticate.ts';
import { key, route } from '../../route.ts';
import { requireOrgKey } from '../org-key.ts';
import { keyBody, keyView, madeKeySchema } from './key-view.ts';
