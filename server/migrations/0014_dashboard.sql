CREATE TABLE "order_day_figures" (
	"vendor_id" integer NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"orders" integer NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "order_day_figures_vendor_id_day_kind_key_pk" PRIMARY KEY("vendor_id","day","kind","key")
);
--> statement-breakpoint
CREATE TABLE "order_days" (
	"day" date PRIMARY KEY NOT NULL,
	"counted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customer_totals" ADD COLUMN "first_order_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "customer_totals_first" ON "customer_totals" USING btree ("vendor_id","first_order_at");
--> statement-breakpoint
-- When each customer's very first order was placed, beside what is counted of them already.
create or replace function count_new_orders() returns trigger language plpgsql as $$
begin
  insert into customer_totals as t (user_id, vendor_id, order_count, cancelled_count, spend, first_order_at, last_order_at)
  select n.user_id, v.id, count(*), count(*) filter (where n.status = 'cancelled'),
    coalesce(sum(n.total) filter (where n.status <> 'cancelled'), 0), min(n.created_at), max(n.created_at)
  from new_orders n cross join lateral (values (0), (n.vendor_id)) v (id)
  where n.user_id is not null
  group by n.user_id, v.id order by n.user_id, v.id
  on conflict (user_id, vendor_id) do update set
    order_count = t.order_count + excluded.order_count,
    cancelled_count = t.cancelled_count + excluded.cancelled_count,
    spend = t.spend + excluded.spend,
    first_order_at = least(t.first_order_at, excluded.first_order_at),
    last_order_at = greatest(t.last_order_at, excluded.last_order_at);
  return null;
end $$;
--> statement-breakpoint
create or replace function count_changed_order() returns trigger language plpgsql as $$
begin
  if old.user_id is not null then
    update customer_totals t set
      order_count = t.order_count - 1,
      cancelled_count = t.cancelled_count - (old.status = 'cancelled')::integer,
      spend = t.spend - case when old.status = 'cancelled' then 0 else old.total end
    where t.user_id = old.user_id and t.vendor_id in (0, old.vendor_id);
  end if;
  if tg_op = 'UPDATE' and new.user_id is not null then
    insert into customer_totals as t (user_id, vendor_id, order_count, cancelled_count, spend, first_order_at, last_order_at)
    select new.user_id, v.id, 1, (new.status = 'cancelled')::integer,
      case when new.status = 'cancelled' then 0 else new.total end, new.created_at, new.created_at
    from (values (0), (new.vendor_id)) v (id)
    on conflict (user_id, vendor_id) do update set
      order_count = t.order_count + 1,
      cancelled_count = t.cancelled_count + excluded.cancelled_count,
      spend = t.spend + excluded.spend,
      first_order_at = least(t.first_order_at, excluded.first_order_at),
      last_order_at = greatest(t.last_order_at, excluded.last_order_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
update customer_totals t set first_order_at = o.first_order_at
from (
  select o.user_id, v.id as vendor_id, min(o.created_at) as first_order_at
  from orders o cross join lateral (values (0), (o.vendor_id)) v (id)
  where o.user_id is not null group by o.user_id, v.id
) o
where o.user_id = t.user_id and o.vendor_id = t.vendor_id;
--> statement-breakpoint
-- Orders of a stretch of days, counted to the end: what is counted stands in the index beside the key.
drop index orders_newest;
--> statement-breakpoint
create index orders_newest on orders (created_at desc nulls last) include (vendor_id, area_id, status, total, id);
--> statement-breakpoint
-- Bahrain keeps UTC+3 the whole year.
create function bahrain_day(p_at timestamptz) returns date language sql immutable parallel safe as $$
  select (p_at at time zone 'UTC' + interval '3 hours')::date
$$;
--> statement-breakpoint
-- Whoever changes orders of a day shares its lock until the end of the transaction, and takes the day out of those that
-- are kept; one lock serves every 64th day, so that years of orders in one statement take 64.
create function forget_order_days(p_days date[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7301976, bucket)
  from (select distinct (d - date '2000-01-01') % 64 as bucket from unnest(p_days) d order by 1) buckets;
  delete from order_days where day in (select day from order_days where day = any(p_days) order by day for update);
end $$;
--> statement-breakpoint
-- Whether the day is the caller's alone, and not kept yet. It never waits: in whose way it stood would wait for it.
create function hold_order_day(p_day date) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7301976, (p_day - date '2000-01-01') % 64) then return false; end if;
  return p_day < bahrain_day(now()) and not exists (select from order_days where day = p_day);
end $$;
--> statement-breakpoint
create function forget_days_of_new_orders() returns trigger language plpgsql as $$
begin
  perform forget_order_days(array(select distinct bahrain_day(created_at) from new_orders));
  return null;
end $$;
--> statement-breakpoint
create trigger forget_days_of_new_orders after insert on orders referencing new table as new_orders
  for each statement execute function forget_days_of_new_orders();
--> statement-breakpoint
create function forget_days_of_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform forget_order_days(array[bahrain_day(old.created_at)]);
  else
    perform forget_order_days(array[bahrain_day(old.created_at), bahrain_day(new.created_at)]);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger forget_days_of_changed_order after update of status, total, area_id, vendor_id, created_at on orders
  for each row when (old.status <> new.status or old.total <> new.total or old.area_id is distinct from new.area_id
    or old.vendor_id <> new.vendor_id or old.created_at <> new.created_at)
  execute function forget_days_of_order();
--> statement-breakpoint
create trigger forget_days_of_deleted_order after delete on orders for each row execute function forget_days_of_order();
--> statement-breakpoint
-- What is ordered is written with its order, under the same lock; later changes of it take the day out too.
create function forget_days_of_items() returns trigger language plpgsql as $$
begin
  perform forget_order_days(array(
    select distinct bahrain_day(o.created_at) from old_items i join orders o on o.id = i.order_id));
  return null;
end $$;
--> statement-breakpoint
create trigger forget_days_of_changed_items after update on order_items referencing old table as old_items
  for each statement execute function forget_days_of_items();
--> statement-breakpoint
create trigger forget_days_of_deleted_items after delete on order_items referencing old table as old_items
  for each statement execute function forget_days_of_items();
