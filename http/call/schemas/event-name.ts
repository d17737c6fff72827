// The name of an event where a call asks for one. It is in NFC, as names are stored.

import { z } from 'zod';
import { nameCharsMax } from '../../../actors/events/ingest/names.ts';

export const eventNameSchema = z.string().normalize().min(1).max(nameCharsMax);
