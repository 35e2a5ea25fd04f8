-- Bahrain has UTC+3 all year.
create or replace function bahrain_day(p_at timestamptz) returns date language sql immutable parallel safe as $$
  select (p_at at time zone 'UTC' + interval '3 hours')::date
$$;

-- A change of a day's orders takes a shared lock of the day until the transaction ends and removes the cached day. One
-- lock serves every 64th day, so a statement over years of orders takes at most 64.
create or replace function forget_order_days(p_days date[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7301976, bucket)
  from (select distinct (d - date '2000-01-01') % 64 as bucket from unnest(p_days) d order by 1) buckets;
  delete from order_days where day in (select day from order_days where day = any(p_days) order by day for update);
end $$;

-- Locks a day for caching; false if it cannot be cached now.
create or replace function hold_order_day(p_day date) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7301976, (p_day - date '2000-01-01') % 64) then return false; end if;
  return p_day < bahrain_day(now()) and not exists (
    select from order_days where day = p_day and statuses_hold);
end $$;

-- A change of status alone removes only the cached status counts of its day.
create or replace function forget_order_statuses(p_day date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7301976, (p_day - date '2000-01-01') % 64);
  update order_days set statuses_hold = false where day = p_day and statuses_hold;
end $$;

create or replace function forget_days_of_new_orders() returns trigger language plpgsql as $$
begin
  perform forget_order_days(array(select distinct bahrain_day(created_at) from new_orders));
  return null;
end $$;

create or replace function forget_days_of_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform forget_order_days(array[bahrain_day(old.created_at)]);
  elsif (old.status = 'cancelled') = (new.status = 'cancelled') and old.total = new.total
    and old.area_id is not distinct from new.area_id and old.vendor_id = new.vendor_id
    and old.created_at = new.created_at then
    perform forget_order_statuses(bahrain_day(new.created_at));
  else
    perform forget_order_days(array[bahrain_day(old.created_at), bahrain_day(new.created_at)]);
  end if;
  return null;
end $$;

-- Items are inserted with their order, under its lock; later changes of items remove the day as well.
create or replace function forget_days_of_items() returns trigger language plpgsql as $$
begin
  perform forget_order_days(array(
    select distinct bahrain_day(o.created_at) from old_items i join orders o on o.id = i.order_id));
  return null;
end $$;

create or replace trigger forget_days_of_new_orders after insert on orders referencing new table as new_orders
  for each statement execute function forget_days_of_new_orders();

create or replace trigger forget_days_of_changed_order after update of status, total, area_id, vendor_id, created_at on orders
  for each row when (old.status <> new.status or old.total <> new.total or old.area_id is distinct from new.area_id
    or old.vendor_id <> new.vendor_id or old.created_at <> new.created_at)
  execute function forget_days_of_order();

create or replace trigger forget_days_of_deleted_order after delete on orders for each row execute function forget_days_of_order();

create or replace trigger forget_days_of_changed_items after update on order_items referencing old table as old_items
  for each statement execute function forget_days_of_items();

create or replace trigger forget_days_of_deleted_items after delete on order_items referencing old table as old_items
  for each statement execute function forget_days_of_items();
