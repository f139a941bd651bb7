-- Paid requests (docs/mail.md, "Language model"): what was bought, whether more may be, and who lets a model read.

-- The ledger. Appended only: nobody has the right to change or delete a row; one function writes it.
CREATE TABLE usage (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  purpose text NOT NULL CHECK (purpose ~ '^[a-z][a-z0-9_.]{0,99}$'),
  subject_id bigint NOT NULL,
  version integer NOT NULL,
  provider text NOT NULL CHECK (length(provider) BETWEEN 1 AND 253),
  model text NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  mode text NOT NULL CHECK (mode IN ('live', 'batch')),
  batch_id text CHECK (length(batch_id) BETWEEN 1 AND 200),
  custom_id text NOT NULL CHECK (length(custom_id) BETWEEN 1 AND 200),
  request_id text CHECK (length(request_id) BETWEEN 1 AND 200),
  outcome text NOT NULL CHECK (outcome ~ '^[a-z0-9_]{1,100}$'),
  input_tokens bigint CHECK (input_tokens >= 0),
  cached_tokens bigint CHECK (cached_tokens >= 0),
  output_tokens bigint CHECK (output_tokens >= 0),
  reasoning_tokens bigint CHECK (reasoning_tokens >= 0),
  estimate numeric(20, 10) CHECK (estimate >= 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  price_since date,
  asked_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT usage_once UNIQUE NULLS NOT DISTINCT (account_id, provider, batch_id, custom_id),
  CONSTRAINT usage_request_once UNIQUE (account_id, provider, request_id),
  CONSTRAINT batch_exactly_in_batch_mode CHECK ((mode = 'batch') = (batch_id IS NOT NULL)),
  CONSTRAINT priced_whole_or_not CHECK (num_nonnulls(estimate, currency, price_since) IN (0, 3))
);
COMMENT ON TABLE usage IS 'One row for each paid request; outlives what it was about, and holds nothing of it.';
COMMENT ON COLUMN usage.custom_id IS 'Ours, sent with the request: a hash of what was asked about, and in live mode the try.';
COMMENT ON COLUMN usage.request_id IS 'The provider''s; NULL when it told none, or one it had told before.';
COMMENT ON COLUMN usage.estimate IS 'By the price table of the day it was asked, once; NULL when the price is unknown. Never a bill.';
CREATE INDEX usage_subject ON usage (account_id, purpose, subject_id, version);

ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON usage TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
GRANT SELECT, INSERT ON usage TO jobtrail_app;

-- The operator's switch: the newest row holds, none means that paid requests may be made.
CREATE TABLE submission_switches (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  allowed boolean NOT NULL,
  actor text NOT NULL CHECK (length(btrim(actor)) BETWEEN 1 AND 200),
  reason text NOT NULL CHECK (length(btrim(reason)) BETWEEN 1 AND 500),
  at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON submission_switches TO jobtrail_fleet;
GRANT SELECT ON submission_switches TO jobtrail_app;

-- The owner's switch: whether a language model may read this account's mail. The newest row holds, none means no.
CREATE TABLE model_permissions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  allowed boolean NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
ALTER TABLE model_permissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_permissions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON model_permissions TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
GRANT SELECT, INSERT ON model_permissions TO jobtrail_app;
