CREATE TABLE IF NOT EXISTS agent_clients (
  id TEXT PRIMARY KEY, -- the client_id: a random UUID, or the URL of a client metadata document
  name TEXT NOT NULL,
  redirect_uris TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL -- later with every use of a registration; a document is fetched again
)
