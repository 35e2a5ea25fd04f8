ALTER TABLE "order_days" ADD COLUMN "statuses_hold" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
-- An order that only goes on its way changes how many are in which status, and nothing else of its day.
create function forget_order_statuses(p_day date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7301976, (p_day - date '2000-01-01') % 64);
  update order_days set statuses_hold = false where day = p_day and statuses_hold;
end $$;
--> statement-breakpoint
create or replace function hold_order_day(p_day date) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7301976, (p_day - date '2000-01-01') % 64) then return false; end if;
  return p_day < bahrain_day(now()) and not exists (select from order_days where day = p_day and statuses_hold);
end $$;
--> statement-breakpoint
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
