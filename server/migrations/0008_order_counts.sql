-- Rows of one area, driver or payment lie far apart: what is counted and summed up stands in the index beside the key.
-- The schema in TypeScript names the keys alone, since it has no word for what an index carries besides.
drop index orders_of_area;
--> statement-breakpoint
create index orders_of_area on orders (area_id, created_at desc nulls last) include (vendor_id, status, total);
--> statement-breakpoint
drop index orders_of_driver;
--> statement-breakpoint
create index orders_of_driver on orders (assigned_driver_id, created_at desc nulls last) include (vendor_id, status, total);
--> statement-breakpoint
drop index orders_of_vendor_by_status;
--> statement-breakpoint
create index orders_of_vendor_by_status on orders (vendor_id, status, created_at desc nulls last) include (total);
--> statement-breakpoint
drop index orders_by_promise;
--> statement-breakpoint
create index orders_by_promise on orders (promised_date, vendor_id) include (created_at, status, total);
--> statement-breakpoint
drop index orders_not_settled;
--> statement-breakpoint
create index orders_not_settled on orders (coalesce(payment_status, 'unpaid'), created_at desc nulls last)
  include (payment_status, vendor_id, status, total) where coalesce(payment_status, 'unpaid') <> 'paid';
