// The baseline of the webhook endpoint: a bare restify server that checks the same HMAC over the raw body and does one
// INSERT at the same isolation. Arguments: DATABASE_URL, secret. Prints its port.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import pg from 'pg';
import restify from 'restify';

const [databaseUrl, secret = ''] = process.argv.slice(2);
const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: 16,
  options: '-c default_transaction_isolation=serializable',
});
await pool.query(
  'CREATE TABLE IF NOT EXISTS bench_deliveries (id UUID PRIMARY KEY, delivery_id TEXT NOT NULL UNIQUE, headers JSONB NOT NULL, body BYTEA NOT NULL, received_at TIMESTAMPTZ NOT NULL DEFAULT now())',
);

const server = restify.createServer({ name: '' });
server.post('/webhooks/:integration', (req, res, next) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', async () => {
    const body = Buffer.concat(chunks);
    const [, timestamp = '', signature = ''] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(req.headers['x-service-signature'])) ?? [];
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    if (signature === '' || !timingSafeEqual(Buffer.from(signature, 'hex'), expected)) {
      res.writeHead(401);
      res.end();
      return next(false);
    }
    await pool.query({
      name: 'insert',
      text: 'INSERT INTO bench_deliveries (id, delivery_id, headers, body) VALUES ($1, $2, $3, $4) ON CONFLICT (delivery_id) DO NOTHING RETURNING id',
      values: [randomUUID(), req.headers['x-delivery-id'], JSON.stringify(req.rawHeaders), body],
    });
    res.writeHead(202, { 'Content-Length': 0 });
    res.end();
    return next(false);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
