-- An application of which nobody recorded the employer is found by the words of its title, whatever level or
-- place stands behind them.
CREATE INDEX applications_lone_title ON applications (account_id, split_part(role_key, ' |', 1))
  WHERE company_key IS NULL;
