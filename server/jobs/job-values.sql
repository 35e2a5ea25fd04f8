-- Replaces an id in the data of jobs that have not succeeded; failed ones can be given another try.
create or replace function replace_in_jobs(p_key text, p_old integer, p_new integer) returns void language plpgsql as $$
begin
  update pgboss.job set data = jsonb_set(data, array[p_key], to_jsonb(p_new))
  where state in ('created', 'retry', 'active', 'failed') and data ->> p_key = p_old::text;
end $$;
