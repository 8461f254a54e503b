const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the value of `X-Service-Signature` for a body, with the time in seconds (docs/webhooks.md). */
export async function signBody(secret: string, body: string, time = Math.floor(Date.now() / 1000)): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return `t=${time},v1=${toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(`${time}.${body}`)))}`;
}
