-- A row's account is compared with one that the server looks up once for a statement. Written out, the setting
-- was read for every row, and worse: the planner read it too, found an account that the last ANALYZE had not
-- seen, took its rows for one, and read whole tables of it instead of going by their keys.
DO $$
DECLARE
  policy record;
BEGIN
  FOR policy IN
    SELECT tablename, policyname, qual FROM pg_policies
    WHERE schemaname = 'public' AND qual ~ 'jobtrail_account\(\)' AND qual !~* 'SELECT jobtrail_account'
  LOOP
    EXECUTE format('ALTER POLICY %I ON %I USING (%s)', policy.policyname, policy.tablename,
      replace(policy.qual, 'jobtrail_account()', '(SELECT jobtrail_account())'));
  END LOOP;
END
$$;
