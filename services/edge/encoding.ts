import Negotiator from 'negotiator';

/** The content codings that the edge produces, best first. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** The codings that a client accepts, in order of preference, and whether it refuses uncompressed bytes. */
export interface AcceptedCodings {
  order: readonly Coding[];
  refusesIdentity: boolean;
}

const known = [...codings];
const identityOnly: AcceptedCodings = { order: ['identity'], refusesIdentity: false };
const maxRemembered = 1000;
const maxHeaderLength = 1024;
const remembered = new Map<string, AcceptedCodings>();

/** The types of negotiator 0.6 do not have the second parameter, which version 1 accepts. */
type Encodings = (available: string[], options: { preferred: string[] }) => Coding[];

function negotiate(header: string): Coding[] {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return (negotiator.encodings as Encodings).call(negotiator, known, { preferred: known });
}

/**
 * Parses an Accept-Encoding header (RFC 9110, section 12.5.3): q-values count, ties go to the smaller result, no header
 * means uncompressed. Results are cached, because visitors send few different headers.
 */
export function readAcceptEncoding(header: string | undefined): AcceptedCodings {
  if (header === undefined) return identityOnly;
  const hit = remembered.get(header);
  if (hit) return hit;
  const order = negotiate(header.slice(0, maxHeaderLength));
  const accepted = { order, refusesIdentity: !order.includes('identity') };
  if (header.length <= maxHeaderLength) {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(header, accepted);
  }
  return accepted;
}

/**
 * Returns the coding of the response, or undefined when none is acceptable (406). A body not worth compressing is sent
 * uncompressed unless the client refuses that.
 */
export function chooseCoding(accepted: AcceptedCodings, worthCompressing: boolean): Coding | undefined {
  if (worthCompressing || accepted.refusesIdentity) return accepted.order[0];
  return 'identity';
}
