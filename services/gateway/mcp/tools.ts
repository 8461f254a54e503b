/** One action of a tool: an operation of the REST API, or of backups, which the REST API does not have. */
export interface Action {
  /** The operationId of a route in `services/gateway/routes.ts`, or `backups.…`. */
  operation: string;
  /**
   * The effect that the user must confirm, as a sentence without a subject; only actions of destructive tools have one.
   */
  destroys?: string;
}

/**
 * A tool of the agent endpoint. Several operations are one tool, because a list of a hundred tools would cost too much.
 */
export interface Tool {
  name: string;
  title: string;
  /** The purpose of the tool, for agents. The list of actions is added from the routes. */
  about: string;
  /** `read` changes nothing, `write` can be undone or repeated, `destroy` needs a confirmation. */
  effect: 'read' | 'write' | 'destroy';
  actions: Record<string, Action>;
}

const operations = <Names extends Record<string, string>>(names: Names): Record<string, Action> =>
  Object.fromEntries(Object.entries(names).map(([action, operation]) => [action, { operation }]));

/** Every tool but `describe_action`. A test fails when an operation has none (decision 271). */
export const tools: readonly Tool[] = [
  {
    name: 'sites_read',
    title: 'Read sites',
    about: 'Start here: which sites you may use, their settings and languages.',
    effect: 'read',
    actions: operations({ list: 'listSites', get: 'getSite', list_languages: 'listLanguages' }),
  },
  {
    name: 'sites_write',
    title: 'Change sites',
    about: 'Create a site, change its settings, add a language.',
    effect: 'write',
    actions: operations({ create: 'createSite', update: 'updateSite', add_language: 'addLanguage' }),
  },
  {
    name: 'content_read',
    title: 'Read content',
    about: 'Posts, pages and other items, with their drafts, revisions and types. Lists: ask for `fields` you need.',
    effect: 'read',
    actions: operations({
      list: 'listContent',
      get: 'getContent',
      list_trash: 'listTrashedContent',
      get_draft: 'getDraft',
      list_revisions: 'listRevisions',
      get_revision: 'getRevision',
      list_types: 'listTypes',
      get_type: 'getType',
    }),
  },
  {
    name: 'content_check',
    title: 'Preview and check content',
    about: 'A private link that shows an item as it would be published, and a check of its claims. Nothing is changed.',
    effect: 'read',
    actions: operations({ preview: 'previewContent', check_facts: 'checkFacts' }),
  },
  {
    name: 'content_write',
    title: 'Write content',
    about:
      'Writing stores; the live site changes only with `publish`. A draft keeps changes apart from the item until applied. `trash` can be undone with `restore`.',
    effect: 'write',
    actions: operations({
      create: 'createContent',
      update: 'updateContent',
      put_by_ref: 'putContentByRef',
      batch: 'createContentBatch',
      trash: 'trashContent',
      restore: 'restoreContent',
      put_draft: 'putDraft',
      apply_draft: 'applyDraft',
      restore_revision: 'restoreRevision',
      put_type: 'putType',
    }),
  },
  {
    name: 'content_destroy',
    title: 'Delete content permanently',
    about: 'Deletes permanently: no action restores it.',
    effect: 'destroy',
    actions: {
      purge: { operation: 'purgeContent', destroys: 'deletes the item in the trash with all its revisions' },
      delete_draft: { operation: 'deleteDraft', destroys: 'deletes the pending draft' },
      delete_type: { operation: 'deleteType', destroys: 'deletes the type with its schema' },
    },
  },
  {
    name: 'media_read',
    title: 'Read media',
    about: 'The media library: images, videos and files.',
    effect: 'read',
    actions: operations({
      list: 'listMedia',
      get: 'getMedia',
      list_usage: 'listMediaUsage',
      list_trash: 'listTrashedMedia',
    }),
  },
  {
    name: 'media_write',
    title: 'Write media',
    about:
      'Import a file by `body.url`, or upload a small one with `base64`, `filename` and `body` with alt or decorative. Use it in a body as <img src="media:{id}">.',
    effect: 'write',
    actions: operations({
      upload: 'uploadMedia',
      update: 'updateMedia',
      trash: 'trashMedia',
      restore: 'restoreMedia',
      replace: 'replaceMedia',
      undo_replacement: 'undoMediaReplacement',
    }),
  },
  {
    name: 'media_destroy',
    title: 'Delete media permanently',
    about: 'Deletes permanently: no action restores it.',
    effect: 'destroy',
    actions: { purge: { operation: 'purgeMedia', destroys: 'deletes the media item in the trash with its variants' } },
  },
  {
    name: 'theme_read',
    title: 'Read the theme',
    about: 'Templates, styles and scripts of the shell, its snapshots, and components.',
    effect: 'read',
    actions: operations({
      list_files: 'listShellFiles',
      read_file: 'readShellFile',
      preview: 'getShellPreview',
      list_snapshots: 'listShellSnapshots',
      diff: 'diffShell',
      list_components: 'listComponents',
      get_component: 'getComponent',
      try_component: 'tryComponent',
    }),
  },
  {
    name: 'theme_write',
    title: 'Write the theme',
    about:
      'A written file shows in the preview; the live site changes with `publish`. Take a snapshot before larger changes. `text` is the file, `base64` a file or archive of bytes. `preview_archive` stores nothing. Read the guide first.',
    effect: 'write',
    actions: operations({
      write_file: 'writeShellFile',
      write_archive: 'writeShellArchive',
      preview_archive: 'previewShellArchive',
      take_snapshot: 'takeShellSnapshot',
      put_component: 'putComponent',
    }),
  },
  {
    name: 'theme_destroy',
    title: 'Delete and restore parts of the theme',
    about: 'Replaces or deletes what the theme has now.',
    effect: 'destroy',
    actions: {
      restore_snapshot: { operation: 'restoreShell', destroys: 'replaces every file of the shell by the snapshot' },
      delete_file: { operation: 'deleteShellFile', destroys: 'deletes the file of the shell' },
      delete_component: { operation: 'deleteComponent', destroys: 'deletes the component' },
    },
  },
  {
    name: 'publish',
    title: 'Publish and roll back',
    about:
      'Makes what is stored live, or an earlier release again. `publish` returns a job: wait for it with jobs_read.',
    effect: 'write',
    actions: operations({ publish: 'publishSite', roll_back: 'rollBackRelease' }),
  },
  {
    name: 'releases_read',
    title: 'Read releases',
    about: 'What was published when, and why a page was rendered or reused.',
    effect: 'read',
    actions: operations({ list: 'listReleases', get: 'getRelease', why: 'explainPage' }),
  },
  {
    name: 'jobs_read',
    title: 'Read jobs',
    about: 'Builds and publishes. `get` with `query.wait` of up to 60 seconds returns when the job has ended.',
    effect: 'read',
    actions: operations({ get: 'getJob', list: 'listJobs' }),
  },
  {
    name: 'extras_read',
    title: 'Read redirects and scripts',
    about: 'Redirects of old paths, and scripts that every page loads.',
    effect: 'read',
    actions: operations({ list_redirects: 'listRedirects', list_scripts: 'listScripts' }),
  },
  {
    name: 'extras_write',
    title: 'Write redirects and scripts',
    about: 'They are live with the next publish.',
    effect: 'write',
    actions: operations({
      create_redirect: 'createRedirect',
      update_redirect: 'updateRedirect',
      create_script: 'createScript',
      update_script: 'updateScript',
    }),
  },
  {
    name: 'integrations_read',
    title: 'Read integrations and events',
    about: 'Inbound webhooks with their deliveries; event endpoints with their events.',
    effect: 'read',
    actions: operations({
      list_webhooks: 'listWebhooks',
      list_deliveries: 'listDeliveries',
      get_delivery: 'getDelivery',
      list_endpoints: 'listEventEndpoints',
      get_endpoint: 'getEventEndpoint',
      list_events: 'listEvents',
      get_event: 'getEvent',
    }),
  },
  {
    name: 'integrations_write',
    title: 'Write integrations and events',
    about: 'A reply with a `secret` shows it this once: give it to the user and keep it nowhere else.',
    effect: 'write',
    actions: operations({
      create_webhook: 'createWebhook',
      update_webhook: 'updateWebhook',
      rotate_webhook: 'rotateWebhookSecret',
      replay_delivery: 'replayDelivery',
      create_endpoint: 'createEventEndpoint',
      update_endpoint: 'updateEventEndpoint',
      rotate_endpoint: 'rotateEventEndpointSecret',
      test_endpoint: 'sendTestEvent',
      replay_event: 'replayEvent',
    }),
  },
  {
    name: 'settings_destroy',
    title: 'Delete a site or its settings',
    about: 'Deletes permanently: no action restores it. Back a site up before you delete it.',
    effect: 'destroy',
    actions: {
      delete_site: { operation: 'deleteSite', destroys: 'deletes the site with everything in it' },
      remove_language: { operation: 'removeLanguage', destroys: 'removes the language from the site' },
      delete_redirect: { operation: 'deleteRedirect', destroys: 'deletes the redirect' },
      delete_script: { operation: 'deleteScript', destroys: 'deletes the script' },
      delete_webhook: { operation: 'deleteWebhook', destroys: 'deletes the integration with its deliveries' },
      delete_endpoint: { operation: 'deleteEventEndpoint', destroys: 'deletes the event endpoint' },
    },
  },
  {
    name: 'audit_read',
    title: 'Read the audit log',
    about: 'Who changed what and when, on one site or everywhere.',
    effect: 'read',
    actions: operations({ of_site: 'listSiteAudit', of_all: 'listAudit' }),
  },
  {
    name: 'guide_read',
    title: 'Read the authoring guide',
    about: 'What bodies and templates may contain. Read it before you write HTML, a template or a component.',
    effect: 'read',
    actions: operations({ of_site: 'getSiteAuthoringGuide', general: 'getAuthoringGuide' }),
  },
  {
    name: 'backups_read',
    title: 'Read backups',
    about: 'The backups that you may see; `verify` proves that one can be restored.',
    effect: 'read',
    actions: operations({ list: 'backups.list', verify: 'backups.verify' }),
  },
  {
    name: 'backups_write',
    title: 'Back a site up',
    about: 'Backs a site up now. If it takes long, the reply says so: list the backups later.',
    effect: 'write',
    actions: operations({ create: 'backups.create' }),
  },
  {
    name: 'backups_destroy',
    title: 'Restore a backup',
    about:
      'With `as`, the slug of a new site, the backup becomes a new site. Without it, the site is put back to the backup.',
    effect: 'destroy',
    actions: {
      restore: {
        operation: 'backups.restore',
        destroys:
          'restores the backup: as a new site with `as`, otherwise in place of everything that the site has now',
      },
    },
  },
];
