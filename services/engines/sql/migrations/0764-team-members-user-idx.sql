CREATE INDEX IF NOT EXISTS team_members_user_idx ON team_members (user_id)
