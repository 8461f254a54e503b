import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { authorizeQuery, makePkce, postForm, register } from '../../harness/agents.ts';
import { makeSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeSignedIn, password } from '../../harness/dashboard.ts';
import { appearances, dashboardOrigin, findAxeProblems, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

test('a stranger who follows an authorization URL signs in, chooses and returns to the agent with a code', async () => {
  const site = await makeSite();
  const { user } = await makeSignedIn(await makeMember(site.slug, 'editor'));
  const agent = createServer((_req, res) => res.end('You can close this page.'));
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  try {
    const callback = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`;
    const clientId = (await register()).json.client_id;
    const { verifier, challenge } = makePkce();
    // texts that a router could take for numbers
    const query = authorizeQuery(clientId, challenge, {
      scope: 'content:read content:write publish',
      redirect_uri: callback,
      state: '1e5',
    });
    const page = await (await browser().newContext()).newPage();
    await page.goto(`${dashboardOrigin}/oauth/authorize${query}`);
    await page.getByLabel('E-mail address').fill(user.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
    await page.getByRole('checkbox', { name: /publish/ }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${callback}?**`);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('state')).toBe('1e5');
    const reply = await postForm('/oauth/token', {
      grant_type: 'authorization_code',
      code: searchParams.get('code')!,
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
    });
    expect([reply.status, reply.json.scope]).toEqual([200, 'content:read content:write']);
  } finally {
    agent.closeAllConnections();
    await new Promise((resolve) => agent.close(resolve));
  }
});

test.each(appearances)(
  'the consent page has no serious problem of accessibility: %j',
  async ({ colorScheme, width }) => {
    const site = await makeSite();
    const { client } = await makeSignedIn(await makeMember(site.slug, 'editor'));
    const context = await browser().newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    const [name = '', value = ''] = client.cookie.split('=');
    await context.addCookies([{ name, value, domain: new URL(dashboardOrigin).hostname, path: '/dashboard' }]);
    const page = await context.newPage();
    const { json } = await register();
    await page.goto(`${dashboardOrigin}/dashboard/connect${authorizeQuery(json.client_id, makePkce().challenge)}`);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
  },
);
