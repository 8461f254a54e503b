CREATE TABLE IF NOT EXISTS mails (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  email TEXT NOT NULL, -- as it was given: whether there is such a user is looked up when it is sent
  kind TEXT NOT NULL, -- invitation, reset
  status TEXT NOT NULL DEFAULT 'queued', -- queued, sent, failed, dropped
  attempts INT4 NOT NULL DEFAULT 0,
  error TEXT, -- why the last attempt failed
  next_attempt_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
)
