/** The input of a flood. Plain data: it is sent to another process. */
export interface FloodInput {
  gateways: readonly string[];
  /** A port on loopback that the guarded downloader may reach. */
  sourcePort: number;
  /** An admin key. */
  key: string;
  /** The site that imports, checks, uploads and receives. */
  slug: string;
  /** Items whose links lead to the slow source, one for each fact check. */
  factChecks: readonly string[];
  integrations: readonly { slug: string; secret: string }[];
  /** Sites whose pages use the steps that a page may use. */
  slowSites: readonly string[];
  /** Sites whose home page ends its renderer. */
  crashingSites: readonly string[];
  amounts: {
    imports: number;
    wrongSignatures: number;
    uploads: number;
    uploadBytes: number;
    largeCreates: number;
    slowLists: number;
    deliveries: number;
    largestDeliveries: number;
    largestDeliveryBytes: number;
    otherDeliveryBytes: number;
  };
}

/** The result: the number of outcomes for each kind of work, and the maximum concurrency. */
export interface FloodReport {
  outcomes: Record<string, Record<string, number>>;
  atOnce: Record<string, number>;
}
