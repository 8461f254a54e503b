// Prepares Garage by its administration API (v2): connects the nodes of GARAGE_NODES (host names, or host:admin port:RPC
// port, separated by commas), gives each of them GARAGE_NODE_BYTES of the data, and imports the access key S3_ACCESS_KEY
// with S3_SECRET_KEY, which may create buckets. A node whose data was lost has a new id: its former one leaves the layout.
// Changes nothing that is already so. Fails if a node does not respond.
const { GARAGE_NODES, GARAGE_NODE_BYTES, GARAGE_ADMIN_TOKEN, S3_ACCESS_KEY, S3_SECRET_KEY } = process.env;

const nodes = GARAGE_NODES.split(',').map((name) => {
  const [host, admin = '3903', rpc = '3901'] = name.split(':');
  return { name, origin: `http://${host}:${admin}`, rpc: `${host}:${rpc}` };
});

async function send(origin, operation, body) {
  const response = await fetch(`${origin}/v2/${operation}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${GARAGE_ADMIN_TOKEN}` },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
  return JSON.parse(text);
}

for (const node of nodes) {
  const { success } = await send(node.origin, 'GetNodeInfo?node=self');
  [node.id] = Object.keys(success);
}
const [{ origin }] = nodes;
const call = (operation, body) => send(origin, operation, body);

const others = nodes.slice(1).map(({ id, rpc }) => `${id}@${rpc}`);
const refused = others.length === 0 ? [] : (await call('ConnectClusterNodes', others)).filter(({ success }) => !success);
if (refused.length > 0) throw new Error(`ConnectClusterNodes: ${refused.map(({ error }) => error).join('; ')}`);

const { version, roles } = await call('GetClusterLayout');
const added = nodes.filter(({ id }) => !roles.some((role) => role.id === id));
if (added.length > 0) {
  const capacity = Number(GARAGE_NODE_BYTES);
  const replaced = roles.filter(({ id, zone }) => nodes.some((node) => node.name === zone && node.id !== id));
  const changes = [
    ...replaced.map(({ id }) => ({ id, remove: true })),
    ...added.map(({ id, name }) => ({ id, zone: name, capacity, tags: [] })),
  ];
  await call('UpdateClusterLayout', { roles: changes });
  await call('ApplyClusterLayout', { version: version + 1 });
}

const keys = await call('ListKeys');
if (!keys.some(({ id }) => id === S3_ACCESS_KEY)) {
  await call('ImportKey', { accessKeyId: S3_ACCESS_KEY, secretAccessKey: S3_SECRET_KEY, name: 'fieldstone' });
}
await call(`UpdateKey?id=${encodeURIComponent(S3_ACCESS_KEY)}`, { allow: { createBucket: true } });
console.log(`Garage has ${nodes.length} nodes, and the key ${S3_ACCESS_KEY} may create buckets.`);
