import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCertificate } from './certificate.ts';
import { createRoutedDial, createTestFetcher, serveHttps, type TestServer } from './servers.ts';

const credentials = createCertificate('site.example');
const publicAddress = async () => ['8.8.8.8'];
let server: TestServer;
beforeAll(async () => {
  server = await serveHttps(credentials, (request, response) => response.end(`host ${request.headers.host}`));
});
afterAll(() => server.close());

test('the connection goes to the checked address, the certificate and the Host header to the name', async () => {
  const { dial, dialled } = createRoutedDial(server);
  const fetcher = createTestFetcher({ dial, resolve: publicAddress, ca: [credentials.cert] });
  for (const url of ['https://site.example/', 'https://site.example./']) {
    expect((await fetcher.fetchBytes(url, { maxBytes: 100 })).bytes.toString()).toBe('host site.example');
  }
  expect(dialled).toEqual(Array(2).fill({ addresses: ['8.8.8.8'], port: 443 }));
});

test.each([
  ['another name', 'https://other.example/', [credentials.cert]],
  ['an address', 'https://8.8.4.4/', [credentials.cert]],
  ['an unknown authority', 'https://site.example/', undefined],
])('a certificate for %s is refused', async (_name, url, ca) => {
  const { dial } = createRoutedDial(server);
  const fetcher = createTestFetcher({ dial, resolve: publicAddress, ...(ca ? { ca } : {}) });
  await expect(fetcher.open(url, { maxBytes: 100 })).rejects.toMatchObject({ code: 'connect_failed' });
});

test('a proxy in the environment is not used', async () => {
  const before = { ...process.env };
  Object.assign(process.env, {
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NODE_USE_ENV_PROXY: '1',
  });
  try {
    const { dial } = createRoutedDial(server);
    const fetcher = createTestFetcher({ dial, resolve: publicAddress, ca: [credentials.cert] });
    expect((await fetcher.fetchBytes('https://site.example/', { maxBytes: 100 })).status).toBe(200);
  } finally {
    process.env = before;
  }
});
