/** The texts of the audit log. */
export const strings = {
  title: 'Audit log',
  lead: 'Every change of this site: who made it, through what, and when. Newest first.',
  nothing: 'No change matches',
  nothingText: 'Changes that people, keys, agents and webhooks make appear here.',
  person: 'Person',
  anyone: 'Anyone',
  operation: 'Operation',
  operationHint: 'such as updateContent',
  since: 'From',
  until: 'To',
  clear: 'Clear the filters',
  service: 'Fieldstone',
  viaKey: (name: string) => `key ${name}`,
  viaAgent: (name: string) => `agent ${name}`,
  viaIntegration: (slug: string) => `webhook ${slug}`,
  request: (id: string) => `Request ${id}`,
} as const;
