CREATE INDEX "order_items_agreed" ON "order_items" USING btree ("order_id") WHERE "order_items"."list_price" is not null;--> statement-breakpoint
-- A day that was kept before agreed prices were counted is kept again with them.
create or replace function hold_order_day(p_day date) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7301976, (p_day - date '2000-01-01') % 64) then return false; end if;
  return p_day < bahrain_day(now()) and not exists (
    select from order_days d join order_day_figures f on f.day = d.day
    where d.day = p_day and d.statuses_hold and f.vendor_id = 0 and f.kind = 'agreed' and f.key = 'counted');
end $$;
