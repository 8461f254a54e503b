/** The texts of the site list and of a site's overview. */
export const strings = {
  sites: 'Sites',
  sitesLead: (count: number) => (count === 1 ? 'One site' : `${count} sites`),
  noSites: 'No sites yet',
  noSitesText: 'You have no role on a site. An owner can invite you to one; an administrator can create one.',
  createSite: 'Create a site',
  siteName: 'Name',
  siteNameHint: 'It appears in the header of the site. You can change it later.',
  published: 'Live',
  neverPublished: 'Not published yet',
  liveSite: 'Open the live site',
  overview: 'Overview',
} as const;
