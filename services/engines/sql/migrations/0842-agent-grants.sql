CREATE TABLE IF NOT EXISTS agent_grants (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL, -- no reference: a grant outlives the registration
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL, -- of the request that the user allowed
  resource TEXT NOT NULL, -- the audience of its tokens
  scopes TEXT[] NOT NULL,
  sites TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  used_at TIMESTAMPTZ(3), -- to five minutes
  expires_at TIMESTAMPTZ(3) NOT NULL, -- later with every new pair of tokens
  revoked_at TIMESTAMPTZ(3)
)
