/** The texts of the view of connected agents. */
export const strings = {
  title: 'Agents',
  lead: 'Agents that you have connected act in your name, as far as the scopes and sites that you allowed.',
  none: 'No agent is connected',
  noneText: 'Give the address of the agent endpoint to an agent. It opens a page on which you choose what it may do.',
  endpoint: 'Agent endpoint',
  copyEndpoint: 'Copy the address of the agent endpoint',
  everySite: 'every site',
  connected: 'connected',
  lastUsed: 'last used',
  neverUsed: 'never used',
  revoke: 'Disconnect',
  revokeOf: (name: string) => `Disconnect ${name}`,
  revokeTitle: (name: string) => `Disconnect “${name}”?`,
  revokeText: 'It is rejected at once. To use it again, connect it again.',
  revokeConfirm: 'Disconnect the agent',
  revokedNotice: 'The agent is disconnected.',
} as const;
