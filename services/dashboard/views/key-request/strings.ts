/** The texts of approving a command line. */
export const strings = {
  codeTitle: 'Approve a command line',
  code: 'Code that the command line shows',
  continue: 'Continue',
  title: 'Give this command line an API key?',
  compare: (code: string) => `Approve only if your own terminal shows the code ${code}.`,
  name: 'Name',
  address: 'Requested from',
  sites: 'Sites',
  everySite: 'every site of yours',
  scopes: 'The key may',
  key: 'The key belongs to you and never exceeds your roles. It works until you revoke it.',
  approve: 'Approve',
  deny: 'Deny',
  decided: { approve: 'Approved', deny: 'Denied' },
  next: {
    approve: 'The command line continues automatically; you can close this page.',
    deny: 'The command line gets no key.',
  },
} as const;
