-- Tables that grow with every order and message are partitioned by month (UTC) of one column (decisions/0039). Rows of
-- months without a partition are kept in the default partition.

-- Makes a month of a table. Copies no identity: ids come from the parent.
create or replace function create_month(parent regclass, month date) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', month)::timestamp at time zone 'UTC';
  next timestamptz := (date_trunc('month', month) + interval '1 month')::timestamp at time zone 'UTC';
  child text := parent::text || to_char(month, '"_"YYYY"_"MM');
begin
  if to_regclass(child) is not null then
    return;
  end if;
  execute format('create table %I (like %s including all excluding identity)', child, parent);
  -- Unlike "partition of", attaching lets others read and write the table meanwhile.
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, child, first, next);
exception when check_violation or lock_not_available then
  -- The default partition takes its rows.
  raise warning '% was not made: %', child, sqlerrm;
end $$;

-- Makes this month and the two after it for every partitioned table.
create or replace function create_months() returns void language plpgsql as $$
declare
  parent regclass;
begin
  perform set_config('lock_timeout', '2s', true);
  for parent in
    select c.oid from pg_class c where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace order by c.relname
  loop
    if to_regclass(parent::text || '_default') is null then
      execute format('create table %I partition of %s default', parent::text || '_default', parent);
    end if;
    for ahead in 0..2 loop
      perform create_month(parent, (now() at time zone 'UTC' + ahead * interval '1 month')::date);
    end loop;
  end loop;
end $$;

-- Drops the months of a table that ended before a time.
create or replace function drop_months(parent regclass, ended timestamptz) returns void language plpgsql as $$
declare
  child regclass;
begin
  perform set_config('lock_timeout', '2s', true);
  for child in
    select inhrelid from pg_inherits
    where inhparent = parent and inhrelid::regclass::text ~ '_\d{4}_\d{2}$'
      and to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') + interval '1 month' <= ended at time zone 'UTC'
  loop
    execute format('drop table %s', child);
  end loop;
end $$;
