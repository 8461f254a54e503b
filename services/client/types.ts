// Made by scripts/build-client.ts from the OpenAPI document. Do not edit.

export interface Operations {
  listSites: {
    path: {};
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Site;
  };
  createSite: {
    path: {};
    query: {};
    body: CreateSiteBody;
    data: Site;
  };
  getSite: {
    path: {
      site: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Site;
  };
  updateSite: {
    path: {
      site: string;
    };
    query: {};
    body: UpdateSiteBody;
    data: Site;
  };
  deleteSite: {
    path: {
      site: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  listLanguages: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Language;
  };
  addLanguage: {
    path: {
      site: string;
    };
    query: {};
    body: AddLanguageBody;
    data: Language;
  };
  removeLanguage: {
    path: {
      site: string;
      locale: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  listContent: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      status?: string | number;
      type?: string | number;
      locale?: string | number;
      tag?: string | number;
      q?: string | number;
      updated_since?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Content;
  };
  createContent: {
    path: {
      site: string;
    };
    query: {};
    body: CreateContentBody;
    data: Content;
  };
  createContentBatch: {
    path: {
      site: string;
    };
    query: {};
    body: CreateContentBatchBody;
    data: BatchResults;
  };
  putContentByRef: {
    path: {
      site: string;
      source_ref: string;
    };
    query: {};
    body: PutContentByRefBody;
    data: Content;
  };
  listTrashedContent: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: TrashedContent;
  };
  getContent: {
    path: {
      site: string;
      id: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Content;
  };
  updateContent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateContentBody;
    data: Content;
  };
  trashContent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: TrashedContent;
  };
  restoreContent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: TrashedContent;
  };
  purgeContent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  checkFacts: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: FactCheck;
  };
  listMedia: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      kind?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Media;
  };
  uploadMedia: {
    path: {
      site: string;
    };
    query: {};
    body: UploadMediaBody;
    data: Media;
  };
  listTrashedMedia: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Media;
  };
  getMedia: {
    path: {
      site: string;
      id: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Media;
  };
  updateMedia: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateMediaBody;
    data: Media;
  };
  trashMedia: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Media;
  };
  restoreMedia: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Media;
  };
  purgeMedia: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  listShellFiles: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: ShellFile;
  };
  readShellFile: {
    path: {
      site: string;
      path: string;
    };
    query: {};
    body: null;
    data: string;
  };
  writeShellFile: {
    path: {
      site: string;
      path: string;
    };
    query: {};
    body: null;
    data: WrittenShellFile;
  };
  deleteShellFile: {
    path: {
      site: string;
      path: string;
    };
    query: {};
    body: null;
    data: null;
  };
  writeShellArchive: {
    path: {
      site: string;
    };
    query: {
      mode?: string | number;
    };
    body: null;
    data: WrittenTheme;
  };
  takeShellSnapshot: {
    path: {
      site: string;
    };
    query: {};
    body: null;
    data: ShellSnapshot;
  };
  listShellSnapshots: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: ShellSnapshot;
  };
  diffShell: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      from: string | number;
      to?: string | number;
      fields?: string | number;
    };
    body: null;
    data: ShellDifference;
  };
  restoreShell: {
    path: {
      site: string;
      rev: string;
    };
    query: {};
    body: null;
    data: ShellRestore;
  };
  listComponents: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Component;
  };
  getComponent: {
    path: {
      site: string;
      handle: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: ComponentWithSource;
  };
  putComponent: {
    path: {
      site: string;
      handle: string;
    };
    query: {};
    body: PutComponentBody;
    data: WrittenComponent;
  };
  deleteComponent: {
    path: {
      site: string;
      handle: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  listRedirects: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Redirect;
  };
  createRedirect: {
    path: {
      site: string;
    };
    query: {};
    body: CreateRedirectBody;
    data: Redirect;
  };
  updateRedirect: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateRedirectBody;
    data: Redirect;
  };
  deleteRedirect: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  listScripts: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Script;
  };
  createScript: {
    path: {
      site: string;
    };
    query: {};
    body: CreateScriptBody;
    data: Script;
  };
  updateScript: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateScriptBody;
    data: Script;
  };
  deleteScript: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  publishSite: {
    path: {
      site: string;
    };
    query: {};
    body: null;
    data: QueuedJob;
  };
  listReleases: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Release;
  };
  rollBackRelease: {
    path: {
      site: string;
      release: string;
    };
    query: {};
    body: null;
    data: Release;
  };
  getShellPreview: {
    path: {
      site: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: ShellPreview;
  };
  listWebhooks: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Webhook;
  };
  createWebhook: {
    path: {
      site: string;
    };
    query: {};
    body: CreateWebhookBody;
    data: WebhookWithSecret;
  };
  updateWebhook: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateWebhookBody;
    data: Webhook;
  };
  deleteWebhook: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  rotateWebhookSecret: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: RotatedWebhook;
  };
  listDeliveries: {
    path: {
      site: string;
      id: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      status?: string | number;
      since?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Delivery;
  };
  getDelivery: {
    path: {
      site: string;
      id: string;
      delivery: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Delivery;
  };
  replayDelivery: {
    path: {
      site: string;
      id: string;
      delivery: string;
    };
    query: {};
    body: null;
    data: Delivery;
  };
  listEventEndpoints: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: EventEndpoint;
  };
  createEventEndpoint: {
    path: {
      site: string;
    };
    query: {};
    body: CreateEventEndpointBody;
    data: EventEndpointWithSecret;
  };
  getEventEndpoint: {
    path: {
      site: string;
      id: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: EventEndpoint;
  };
  updateEventEndpoint: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: UpdateEventEndpointBody;
    data: EventEndpoint;
  };
  deleteEventEndpoint: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Deleted;
  };
  rotateEventEndpointSecret: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: RotatedEventEndpoint;
  };
  sendTestEvent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Event;
  };
  listEvents: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      endpoint?: string | number;
      type?: string | number;
      status?: string | number;
      since?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Event;
  };
  getEvent: {
    path: {
      site: string;
      id: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Event;
  };
  replayEvent: {
    path: {
      site: string;
      id: string;
    };
    query: {};
    body: null;
    data: Event;
  };
  getJob: {
    path: {
      uuid: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: Job;
  };
  listJobs: {
    path: {
      site: string;
    };
    query: {
      page?: string | number;
      per_page?: string | number;
      fields?: string | number;
    };
    body: null;
    data: Job;
  };
  getAuthoringGuide: {
    path: {};
    query: {
      fields?: string | number;
    };
    body: null;
    data: AuthoringGuide;
  };
  getSiteAuthoringGuide: {
    path: {
      site: string;
    };
    query: {
      fields?: string | number;
    };
    body: null;
    data: SiteAuthoringGuide;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Site".
 */
export interface Site {
  id: string;
  slug: string;
  name: string;
  domain: string | null;
  aliases: string[];
  /**
   * With `FIELDSTONE_DOMAIN_PROOF=txt`: the TXT record that `domain` needs before it is served. Each alias needs the same `value` at its own `name`. Null when the setting is `off` or there is no domain
   */
  domain_proof: {
    name: string;
    value: string;
    proven_at: string | null;
    aliases: {
      name: string;
      proven_at: string | null;
    }[];
  } | null;
  default_locale: string;
  locales: string[];
  settings: {
    [k: string]: unknown;
  };
  /**
   * Where visitors find it
   */
  url: string;
  /**
   * Null before the first publish
   */
  live_release: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateSiteBody".
 */
export interface CreateSiteBody {
  name: string;
  /**
   * Made from the name when absent; for ever
   */
  slug?: string;
  /**
   * A host name whose visitors the edge serves this site to: lower case, ASCII, without port; unique, and none of the service itself. Without one the site is at `/sites/{slug}/` of the edge
   */
  domain?: string | null;
  /**
   * Further host names of that form, unique too, which the edge redirects to `domain` with 301, path and query kept
   *
   * @maxItems 20
   */
  aliases?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  /**
   * BCP 47, such as `en` or `pt-BR`. Pages in it have no locale in their path
   */
  default_locale?: string;
  /**
   * Free members for templates; `shell_autopublish` and those of the starter shell have a meaning
   */
  settings?: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateSiteBody".
 */
export interface UpdateSiteBody {
  name?: string;
  /**
   * A host name whose visitors the edge serves this site to: lower case, ASCII, without port; unique, and none of the service itself. Without one the site is at `/sites/{slug}/` of the edge
   */
  domain?: string | null;
  /**
   * Further host names of that form, unique too, which the edge redirects to `domain` with 301, path and query kept
   *
   * @maxItems 20
   */
  aliases?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ];
  /**
   * One of the locales of the site
   */
  default_locale?: string;
  /**
   * Free members for templates; `shell_autopublish` and those of the starter shell have a meaning
   */
  settings?: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Deleted".
 */
export interface Deleted {
  id: string;
  deleted: true;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Language".
 */
export interface Language {
  locale: string;
  name: string;
  default: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AddLanguageBody".
 */
export interface AddLanguageBody {
  /**
   * BCP 47, such as `de` or `pt-BR`
   */
  locale: string;
  /**
   * For people; the English name of the language when absent
   */
  name?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Content".
 */
export interface Content {
  id: string;
  type: string;
  title: string;
  slug: string;
  locale: string;
  /**
   * Where the item is once it is published
   */
  url: string;
  body_html: string;
  excerpt: string | null;
  author: string | null;
  status: 'draft' | 'scheduled' | 'published' | 'archived';
  scheduled_at: string | null;
  published_at: string | null;
  featured_media_id: string | null;
  seo_title: string | null;
  seo_description: string | null;
  canonical_url: string | null;
  tags: string[];
  source_ref: string | null;
  translation_of: string | null;
  /**
   * What was removed from the body when it was last written
   */
  warnings: {
    code: string;
    message: string;
  }[];
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateContentBody".
 */
export interface CreateContentBody {
  title: string;
  /**
   * `post`, `page` or a type of your own, shown by `{type}.twig`, else `page.twig`. `post` when absent
   */
  type?: string;
  /**
   * Made from the title when absent; a taken one gets a counter
   */
  slug?: string | null;
  /**
   * One of the locales of the site. Its default one when absent
   */
  locale?: string;
  /**
   * Cleaned; the authoring guide says what may be in it. Images of the library: `<img src="media:{id}">`
   */
  body_html?: string;
  /**
   * Plain text
   */
  excerpt?: string | null;
  author?: string | null;
  /**
   * `draft` when absent. Only `published` items are in a publish
   */
  status?: 'draft' | 'scheduled' | 'published' | 'archived';
  /**
   * Required with the status `scheduled`: then the item becomes published, and the site is, by itself
   */
  scheduled_at?: string | null;
  /**
   * Set when the item becomes published, unless it is given
   */
  published_at?: string | null;
  /**
   * The `id` of an image of the library
   */
  featured_media_id?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  /**
   * What the item's page names as canonical, for example where the text appeared first. Null: its own URL
   */
  canonical_url?: string | null;
  /**
   * Any words
   *
   * @maxItems 200
   */
  tags?: string[];
  /**
   * Your own name for the item, unique in the site, for `putContentByRef`
   */
  source_ref?: string | null;
  /**
   * The `id` of the item in the default locale that this one is a translation of: one per locale, another one outside the trash is 409
   */
  translation_of?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateContentBatchBody".
 */
export interface CreateContentBatchBody {
  /**
   * Bodies of `createContent`; one that is wrong refuses only itself
   *
   * @minItems 1
   * @maxItems 100
   */
  items: [unknown, ...unknown[]];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "BatchResults".
 */
export interface BatchResults {
  results: (
    | {
        status: 201;
        data: Content;
      }
    | {
        status: number;
        error: {
          code: string;
          message: string;
          details?: {
            path: string;
            message: string;
          }[];
        };
      }
  )[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PutContentByRefBody".
 */
export interface PutContentByRefBody {
  title: string;
  /**
   * `post`, `page` or a type of your own, shown by `{type}.twig`, else `page.twig`. `post` when absent
   */
  type?: string;
  /**
   * Made from the title when absent; a taken one gets a counter
   */
  slug?: string | null;
  /**
   * One of the locales of the site. Its default one when absent
   */
  locale?: string;
  /**
   * Cleaned; the authoring guide says what may be in it. Images of the library: `<img src="media:{id}">`
   */
  body_html?: string;
  /**
   * Plain text
   */
  excerpt?: string | null;
  author?: string | null;
  /**
   * `draft` when absent. Only `published` items are in a publish
   */
  status?: 'draft' | 'scheduled' | 'published' | 'archived';
  /**
   * Required with the status `scheduled`: then the item becomes published, and the site is, by itself
   */
  scheduled_at?: string | null;
  /**
   * Set when the item becomes published, unless it is given
   */
  published_at?: string | null;
  /**
   * The `id` of an image of the library
   */
  featured_media_id?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  /**
   * What the item's page names as canonical, for example where the text appeared first. Null: its own URL
   */
  canonical_url?: string | null;
  /**
   * Any words
   *
   * @maxItems 200
   */
  tags?: string[];
  /**
   * The `id` of the item in the default locale that this one is a translation of: one per locale, another one outside the trash is 409
   */
  translation_of?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "TrashedContent".
 */
export interface TrashedContent {
  id: string;
  type: string;
  title: string;
  slug: string;
  locale: string;
  /**
   * Where the item is once it is published
   */
  url: string;
  body_html: string;
  excerpt: string | null;
  author: string | null;
  status: 'draft' | 'scheduled' | 'published' | 'archived';
  scheduled_at: string | null;
  published_at: string | null;
  featured_media_id: string | null;
  seo_title: string | null;
  seo_description: string | null;
  canonical_url: string | null;
  tags: string[];
  source_ref: string | null;
  translation_of: string | null;
  /**
   * What was removed from the body when it was last written
   */
  warnings: {
    code: string;
    message: string;
  }[];
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
  trashed_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateContentBody".
 */
export interface UpdateContentBody {
  /**
   * `post`, `page` or a type of your own, shown by `{type}.twig`, else `page.twig`. `post` when absent
   */
  type?: string;
  title?: string;
  /**
   * Made from the title when absent; a taken one gets a counter
   */
  slug?: string | null;
  /**
   * One of the locales of the site. Its default one when absent
   */
  locale?: string;
  /**
   * Cleaned; the authoring guide says what may be in it. Images of the library: `<img src="media:{id}">`
   */
  body_html?: string;
  /**
   * Plain text
   */
  excerpt?: string | null;
  author?: string | null;
  /**
   * `draft` when absent. Only `published` items are in a publish
   */
  status?: 'draft' | 'scheduled' | 'published' | 'archived';
  /**
   * Required with the status `scheduled`: then the item becomes published, and the site is, by itself
   */
  scheduled_at?: string | null;
  /**
   * Set when the item becomes published, unless it is given
   */
  published_at?: string | null;
  /**
   * The `id` of an image of the library
   */
  featured_media_id?: string | null;
  seo_title?: string | null;
  seo_description?: string | null;
  /**
   * What the item's page names as canonical, for example where the text appeared first. Null: its own URL
   */
  canonical_url?: string | null;
  /**
   * Any words
   *
   * @maxItems 200
   */
  tags?: string[];
  /**
   * Your own name for the item, unique in the site, for `putContentByRef`
   */
  source_ref?: string | null;
  /**
   * The `id` of the item in the default locale that this one is a translation of: one per locale, another one outside the trash is 409
   */
  translation_of?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "FactCheck".
 */
export interface FactCheck {
  content_id: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  checked_at: string;
  claims: {
    text: string;
    kind: 'number' | 'date' | 'superlative' | 'quotation' | 'attribution';
    verdict: 'supported' | 'unsupported' | 'contradicted' | 'unverifiable';
    evidence: {
      type: string;
      url?: string;
      excerpt?: string;
      message: string;
    }[];
  }[];
  links: {
    url: string;
    ok: boolean;
    status: number | null;
  }[];
  summary: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Media".
 */
export interface Media {
  id: string;
  kind: 'image' | 'video' | 'file';
  filename: string;
  mime_type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /**
   * Seconds
   */
  duration: number | null;
  alt: string | null;
  decorative: boolean;
  /**
   * `ready`: pages can show it; further variants may still join
   */
  status: 'processing' | 'ready' | 'failed';
  /**
   * The original bytes
   */
  url: string;
  variants: {
    format: string;
    width: number;
    height: number;
    bytes: number;
    url: string;
  }[];
  source_url: string | null;
  sha256: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  trashed_at: string | null;
  /**
   * Present when one was set
   */
  focal_point?: {
    x: number;
    y: number;
  } | null;
  /**
   * Present while variants are being made: how many are there, of how many
   */
  progress?: {
    stage: 'queued' | 'variants' | 'avif' | 'video';
    done: number;
    total: number;
  };
  /**
   * Present when the status is failed
   */
  error?: {
    message: string;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UploadMediaBody".
 */
export interface UploadMediaBody {
  /**
   * The file; in multipart/form-data only
   */
  file?: string;
  /**
   * Fetched when there is no file
   */
  url?: string;
  /**
   * Required for an image unless decorative is true
   */
  alt?: string | null;
  /**
   * The image says nothing: its alt text is empty
   */
  decorative?: boolean;
  /**
   * What must stay visible where the image is cropped: from the left and from the top, 0 to 1
   */
  focal_point?: {
    x: number;
    y: number;
  } | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateMediaBody".
 */
export interface UpdateMediaBody {
  /**
   * Required for an image unless decorative is true
   */
  alt?: string | null;
  /**
   * The image says nothing: its alt text is empty
   */
  decorative?: boolean;
  /**
   * What must stay visible where the image is cropped: from the left and from the top, 0 to 1
   */
  focal_point?: {
    x: number;
    y: number;
  } | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ShellFile".
 */
export interface ShellFile {
  path: string;
  bytes: number;
  sha256: string;
  content_type: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WrittenShellFile".
 */
export interface WrittenShellFile {
  path: string;
  bytes: number;
  sha256: string;
  content_type: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
  warnings: {
    code: string;
    message: string;
  }[];
  /**
   * The rebuild that will contain the write, one for a whole burst; null when the bytes were already there
   */
  job: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WrittenTheme".
 */
export interface WrittenTheme {
  mode: 'replace' | 'merge';
  /**
   * Files in the archive
   */
  files: number;
  added: number;
  changed: number;
  removed: number;
  /**
   * The shell as it was before; null when nothing changed
   */
  snapshot: string | null;
  /**
   * The rebuild that will contain the theme; null when nothing changed
   */
  job: string | null;
  warnings: {
    code: string;
    message: string;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ShellSnapshot".
 */
export interface ShellSnapshot {
  /**
   * The revision, for `diffShell` and `restoreShell`
   */
  rev: string;
  files: number;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ShellDifference".
 */
export interface ShellDifference {
  path: string;
  change: 'added' | 'removed' | 'changed';
  before: {
    bytes: number;
    sha256: string;
  } | null;
  after: {
    bytes: number;
    sha256: string;
  } | null;
  /**
   * A unified diff; null for what `diff_omitted` says
   */
  diff: string | null;
  diff_omitted: ('binary' | 'too_large' | 'too_different') | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ShellRestore".
 */
export interface ShellRestore {
  restored: string;
  snapshot: string;
  job: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Component".
 */
export interface Component {
  handle: string;
  type: 'html' | 'react';
  css: string | null;
  variables_schema: {
    [k: string]: unknown;
  } | null;
  /**
   * Of the source code
   */
  sha256: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ComponentWithSource".
 */
export interface ComponentWithSource {
  handle: string;
  type: 'html' | 'react';
  css: string | null;
  variables_schema: {
    [k: string]: unknown;
  } | null;
  /**
   * Of the source code
   */
  sha256: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
  source_code: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PutComponentBody".
 */
export interface PutComponentBody {
  type: 'html' | 'react';
  /**
   * A Twig template, or a React module in JavaScript or TypeScript with JSX
   */
  source_code: string;
  /**
   * A style sheet; it reaches nothing outside the component
   */
  css?: string | null;
  /**
   * A JSON Schema (2020-12) of the variables, or just its `properties` map
   */
  variables_schema?: {
    [k: string]: unknown;
  } | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WrittenComponent".
 */
export interface WrittenComponent {
  handle: string;
  type: 'html' | 'react';
  css: string | null;
  variables_schema: {
    [k: string]: unknown;
  } | null;
  /**
   * Of the source code
   */
  sha256: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  updated_at: string;
  warnings: {
    code: string;
    message: string;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Redirect".
 */
export interface Redirect {
  id: string;
  from: string;
  to: string;
  status: number;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateRedirectBody".
 */
export interface CreateRedirectBody {
  /**
   * A path of the site
   */
  from: string;
  /**
   * A path of the site, or a URL
   */
  to: string;
  status?: 301 | 302 | 307 | 308;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateRedirectBody".
 */
export interface UpdateRedirectBody {
  from?: string;
  to?: string;
  status?: 301 | 302 | 307 | 308;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Script".
 */
export interface Script {
  id: string;
  name: string;
  position: 'head' | 'body_end';
  src: string | null;
  code: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateScriptBody".
 */
export interface CreateScriptBody {
  name: string;
  position?: 'head' | 'body_end';
  /**
   * An https URL; give exactly one of `src` and `code`
   */
  src?: string | null;
  /**
   * JavaScript without `<script>`; give exactly one of `src` and `code`
   */
  code?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateScriptBody".
 */
export interface UpdateScriptBody {
  name?: string;
  position?: 'head' | 'body_end';
  src?: string | null;
  code?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "QueuedJob".
 */
export interface QueuedJob {
  /**
   * For `getJob`
   */
  job: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Release".
 */
export interface Release {
  id: string;
  live: boolean;
  pages: number;
  /**
   * Pages that differ from the release before
   */
  changed: number;
  bytes: number;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ShellPreview".
 */
export interface ShellPreview {
  /**
   * Null while nothing has been built
   */
  url: string | null;
  /**
   * The latest rebuild
   */
  job: string | null;
  expires_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Webhook".
 */
export interface Webhook {
  id: string;
  slug: string;
  name: string;
  mapper: 'autoseo' | 'create_post' | 'create_page' | 'import_media' | 'upsert_component';
  enabled: boolean;
  /**
   * Where deliveries are sent
   */
  url: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateWebhookBody".
 */
export interface CreateWebhookBody {
  mapper: 'autoseo' | 'create_post' | 'create_page' | 'import_media' | 'upsert_component';
  /**
   * Unique in the whole service; derived from the name when absent
   */
  slug?: string;
  name?: string;
  enabled?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookWithSecret".
 */
export interface WebhookWithSecret {
  id: string;
  slug: string;
  name: string;
  mapper: 'autoseo' | 'create_post' | 'create_page' | 'import_media' | 'upsert_component';
  enabled: boolean;
  /**
   * Where deliveries are sent
   */
  url: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * The signing secret; shown here and by the command line
   */
  secret: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateWebhookBody".
 */
export interface UpdateWebhookBody {
  name?: string;
  enabled?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "RotatedWebhook".
 */
export interface RotatedWebhook {
  id: string;
  slug: string;
  name: string;
  mapper: 'autoseo' | 'create_post' | 'create_page' | 'import_media' | 'upsert_component';
  enabled: boolean;
  /**
   * Where deliveries are sent
   */
  url: string;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * The signing secret; shown here and by the command line
   */
  secret: string;
  /**
   * Until then the previous secret is accepted too
   */
  previous_valid_until: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Delivery".
 */
export interface Delivery {
  id: string;
  delivery_id: string;
  status: 'queued' | 'processing' | 'succeeded' | 'skipped' | 'failed';
  attempts: number;
  next_attempt_at: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  received_at: string;
  finished_at: string | null;
  /**
   * As received, by lowercase name; values of a repeated header are joined
   */
  headers: {
    [k: string]: string;
  };
  /**
   * The exact bytes; null after retention, and for large bodies in lists
   */
  body: string | null;
  body_encoding: 'utf8' | 'base64';
  body_bytes: number;
  /**
   * What came of it: the item, the release that made it live, its URL
   */
  result: {
    [k: string]: unknown;
  };
  error: string | null;
  timeline: {
    /**
     * UTC, YYYY-MM-DDTHH:MM:SSZ
     */
    at: string;
    elapsed_ms: number;
    event: string;
    [k: string]: unknown;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "EventEndpoint".
 */
export interface EventEndpoint {
  id: string;
  url: string;
  events: ('content.published' | 'site.published' | 'delivery.failed' | 'job.failed')[];
  enabled: boolean;
  /**
   * The first failure since the last success
   */
  failing_since: string | null;
  disabled_at: string | null;
  /**
   * Why the service disabled it; null when somebody did
   */
  disabled_reason: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CreateEventEndpointBody".
 */
export interface CreateEventEndpointBody {
  /**
   * https; redirects are not followed
   */
  url: string;
  /**
   * The types of events that it wants
   *
   * @minItems 1
   * @maxItems 100
   */
  events: [
    'content.published' | 'site.published' | 'delivery.failed' | 'job.failed',
    ...('content.published' | 'site.published' | 'delivery.failed' | 'job.failed')[]
  ];
  enabled?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "EventEndpointWithSecret".
 */
export interface EventEndpointWithSecret {
  id: string;
  url: string;
  events: ('content.published' | 'site.published' | 'delivery.failed' | 'job.failed')[];
  enabled: boolean;
  /**
   * The first failure since the last success
   */
  failing_since: string | null;
  disabled_at: string | null;
  /**
   * Why the service disabled it; null when somebody did
   */
  disabled_reason: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * The signing secret, `whsec_…`; shown here and by the command line
   */
  secret: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UpdateEventEndpointBody".
 */
export interface UpdateEventEndpointBody {
  /**
   * https; redirects are not followed
   */
  url?: string;
  /**
   * The types of events that it wants
   *
   * @minItems 1
   * @maxItems 100
   */
  events?: [
    'content.published' | 'site.published' | 'delivery.failed' | 'job.failed',
    ...('content.published' | 'site.published' | 'delivery.failed' | 'job.failed')[]
  ];
  enabled?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "RotatedEventEndpoint".
 */
export interface RotatedEventEndpoint {
  id: string;
  url: string;
  events: ('content.published' | 'site.published' | 'delivery.failed' | 'job.failed')[];
  enabled: boolean;
  /**
   * The first failure since the last success
   */
  failing_since: string | null;
  disabled_at: string | null;
  /**
   * Why the service disabled it; null when somebody did
   */
  disabled_reason: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  /**
   * The signing secret, `whsec_…`; shown here and by the command line
   */
  secret: string;
  /**
   * Until then every event has a signature by the previous secret too
   */
  previous_valid_until: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Event".
 */
export interface Event {
  /**
   * Sent as `webhook-id`
   */
  id: string;
  endpoint: string;
  type: 'content.published' | 'site.published' | 'delivery.failed' | 'job.failed' | 'endpoint.test';
  /**
   * Between attempts it is `failed` with `next_attempt_at`
   */
  status: 'queued' | 'sending' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: string | null;
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  finished_at: string | null;
  /**
   * What is sent; null after retention
   */
  payload: {
    [k: string]: unknown;
  } | null;
  error: string | null;
  /**
   * Every attempt with the status of the answer; the last hundred
   */
  log: {
    /**
     * UTC, YYYY-MM-DDTHH:MM:SSZ
     */
    at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Job".
 */
export interface Job {
  uuid: string;
  site: string;
  kind: 'publish' | 'rebuild' | 'scheduled' | 'webhook';
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  /**
   * `done` of `total` within the `stage`, both 0 in stages that count nothing. At last all pages of the release; of a job that failed, how far it came
   */
  progress: {
    stage: string;
    done: number;
    total: number;
  };
  /**
   * UTC, YYYY-MM-DDTHH:MM:SSZ
   */
  created_at: string;
  started_at: string | null;
  /**
   * Null until the job has succeeded or failed
   */
  finished_at: string | null;
  /**
   * Why it failed, with template and line where there is one
   */
  error: {
    message: string;
  } | null;
  result: {
    release: string;
    pages: number;
    changed: number;
    bytes: number;
    url: string;
    /**
     * What pages refer to though the site does not have it; left out when there is nothing
     */
    warnings?: {
      page: string;
      /**
       * body, featured_media_id, template, component {handle} or body of {path}
       */
      slot: string;
      kind: 'component' | 'media';
      reference: string;
      message: string;
    }[];
  } | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AuthoringGuide".
 */
export interface AuthoringGuide {
  guide_version: number;
  body_html: {
    allowed_elements: {
      name: string;
      attributes: string[];
      void: boolean;
    }[];
    global_attributes: string[];
    removed_with_content: string[];
    [k: string]: unknown;
  };
  embeds: {
    image: {
      syntax: string;
      [k: string]: unknown;
    };
    component: {
      syntax: string;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  content: {
    statuses: string[];
    [k: string]: unknown;
  };
  shell: {
    paths: {
      max_path_bytes: number;
      max_file_bytes: number;
      [k: string]: unknown;
    };
    templates: {
      file: string;
      required: boolean;
      [k: string]: unknown;
    }[];
    functions: {
      name: string;
      signature: string;
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  };
  limits: {
    [k: string]: number;
  };
  [k: string]: unknown;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SiteAuthoringGuide".
 */
export interface SiteAuthoringGuide {
  guide_version: number;
  body_html: {
    allowed_elements: {
      name: string;
      attributes: string[];
      void: boolean;
    }[];
    global_attributes: string[];
    removed_with_content: string[];
    [k: string]: unknown;
  };
  embeds: {
    image: {
      syntax: string;
      [k: string]: unknown;
    };
    component: {
      syntax: string;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  content: {
    statuses: string[];
    [k: string]: unknown;
  };
  shell: {
    paths: {
      max_path_bytes: number;
      max_file_bytes: number;
      [k: string]: unknown;
    };
    templates: {
      file: string;
      required: boolean;
      [k: string]: unknown;
    }[];
    functions: {
      name: string;
      signature: string;
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  };
  limits: {
    [k: string]: number;
  };
  site: {
    slug: string;
    default_locale: string;
    locales: {
      locale: string;
      name: string;
      default: boolean;
      path_prefix: string;
    }[];
    components: {
      handle: string;
      type: string;
      embed: string;
      [k: string]: unknown;
    }[];
    missing_templates: string[];
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Failure".
 */
export interface Failure {
  success: false;
  error: {
    /**
     * A stable word for programs
     */
    code: string;
    /**
     * A sentence for people
     */
    message: string;
    /**
     * With 422: what is to be mended
     */
    details?: {
      path: string;
      message: string;
    }[];
  };
}
/**
 * With `fields`: the members of the record that it names, and the name of the record
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PartOfRecord".
 */
export interface PartOfRecord {}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Pagination".
 */
export interface Pagination {
  total: number;
  page: number;
  per_page: number;
  total_pages: number;
}
