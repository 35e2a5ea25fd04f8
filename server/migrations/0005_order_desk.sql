ALTER TABLE "orders" ADD COLUMN "search_text" text;--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "orders" USING btree ("status","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_of_vendor_by_status" ON "orders" USING btree ("vendor_id","status","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_by_promise" ON "orders" USING btree ("promised_date","vendor_id");--> statement-breakpoint
CREATE INDEX "orders_of_area" ON "orders" USING btree ("area_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_not_paid" ON "orders" USING btree ("payment_status","created_at" DESC NULLS LAST) WHERE "orders"."payment_status" is distinct from 'paid';--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_not_searchable" ON "orders" USING btree ("id") WHERE "orders"."search_text" is null;
--> statement-breakpoint
-- Common names must be told from rare ones: by that the planner chooses between the index and the newest orders.
alter table orders alter column search_text set statistics 1000;
--> statement-breakpoint
-- The list of new entries is short, since every search reads it through.
alter index orders_search set (gin_pending_list_limit = 256);
--> statement-breakpoint
-- What an order is found by: each part begins behind a space.
create function order_search_text(p_name text, p_phone text, p_id text) returns text language sql immutable parallel safe as $$
  select ' ' || fold_text(p_name) || ' ' || ltrim(p_phone, '+') || ' ' || lower(p_id)
$$;
--> statement-breakpoint
create function make_order_searchable() returns trigger language plpgsql as $$
begin
  new.search_text := order_search_text(new.customer_name, new.phone, new.id);
  return new;
end $$;
--> statement-breakpoint
create trigger searchable before insert or update of customer_name, phone, search_text on orders
  for each row execute function make_order_searchable();
