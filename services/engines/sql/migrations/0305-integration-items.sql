CREATE TABLE IF NOT EXISTS integration_items (
  integration_id UUID NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
  item_key TEXT NOT NULL, -- what the source calls the item, hashed; a delivery without a key has one of its own
  seq INT8 NOT NULL, -- of the delivery applied last: an older one is superseded
  delivery_id UUID NOT NULL,
  item_id TEXT, -- what it made
  PRIMARY KEY (integration_id, item_key)
)
