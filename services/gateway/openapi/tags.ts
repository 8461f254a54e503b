/** What the operations of each tag are about. */
const descriptions: Readonly<Record<string, string>> = {
  Sites: 'Sites, their settings and hosts',
  Languages: 'The locales of a site',
  Content: 'Posts, pages and items of other types: revisions, pending drafts, previews and the trash',
  Types: 'Types of items, and the JSON Schemas of their fields',
  Media: 'The library of images, videos and files, and resumable uploads',
  Shell: 'The theme of a site: files, archives, snapshots and previews',
  Components: 'HTML and React components for bodies and templates',
  Redirects: 'Redirects from paths of a site',
  Scripts: 'Scripts in the pages of a site',
  Publishing: 'Publishing, releases, rollbacks, and why a page was rendered',
  Webhooks: 'Integrations, which receive signed deliveries, and the deliveries',
  Events: 'Events of a site, and the endpoints to which they are sent',
  Jobs: 'Builds and their progress',
  Audit: 'Who changed what',
  'Authoring guide': 'The rules for bodies, embeds and shells, for programs',
};

/** Returns the tag objects of the document. Throws for a tag without a description. */
export function tagsOf(names: Iterable<string>): { name: string; description: string }[] {
  return [...new Set(names)].map((name) => {
    const description = descriptions[name];
    if (!description) throw new Error(`The tag ${name} has no description: add one in openapi/tags.ts.`);
    return { name, description };
  });
}
