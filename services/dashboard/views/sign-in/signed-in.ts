import type { z } from 'zod';
import type { linkRecord, signedInRecord } from '../../../features/people/schema.ts';

/** What follows a password or a link: nothing, or the second factor. */
export type SignedIn = z.output<typeof signedInRecord>;

/** What a link is for. */
export type LinkRecord = z.output<typeof linkRecord>;
