const isLong = process.env.FIELDSTONE_TEST_LONG === 'true';
const mebibyte = 1024 * 1024;
const minute = 60_000;

/** What the greedy tenant asks for at once. The long form (FIELDSTONE_TEST_LONG) lasts longer and sends larger deliveries. */
export const amounts = {
  imports: 60,
  factChecks: 60,
  wrongSignatures: 300,
  uploads: 20,
  uploadBytes: 20_000_000,
  largeCreates: 4,
  slowLists: 10,
  integrations: 6,
  deliveries: 48,
  /** Of an integration's deliveries: this number are as large as a delivery may be, the others have `otherDeliveryBytes`. */
  largestDeliveries: isLong ? 48 : 2,
  largestDeliveryBytes: 4 * mebibyte,
  otherDeliveryBytes: 64 * 1024,
  /** Posts of a site whose templates use the steps that a page may use. */
  slowPages: 40,
  floodMs: isLong ? 10 * minute : 40_000,
} as const;

/** No wait of a tenant is longer: what takes this long has failed. Afterwards, the greedy one waits behind all that was accepted. */
export const lostMs = 3 * minute;
export const lostAfterwardsMs = isLong ? 30 * minute : 5 * minute;

/** What a part of the run may take, on a machine that also does other things. */
export const partTimeoutMs = isLong ? 60 * minute : 15 * minute;
