// What in-app messages see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { MessagesReads } from '../../content/messages/reads.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SegmentsReads } from '../segments/reads.ts';
import type { InAppApp } from './state.ts';

export type InAppMessagesView = InAppApp &
  AccountsReads &
  AudienceReads &
  MessagesReads &
  SegmentsReads &
  TemplatesReads;

export type InAppMessagesMemory = AppsOf<InAppMessagesView>;
